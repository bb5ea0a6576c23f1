import assert from 'node:assert/strict';
import test from 'node:test';
import {Clock} from './clock.js';

test('time stays between start and end', () => {
  const clock = new Clock(1, 4);
  clock.seek(9);
  assert.equal(clock.time, 4);
  clock.seek(-9);
  assert.equal(clock.time, 1);
});

test('playing runs at the chosen speed, stops at the end and starts over from there', () => {
  const clock = new Clock(0, 1);
  clock.setSpeed(0.5);
  clock.advance(1);
  assert.equal(clock.time, 0, 'a paused clock stands still');
  clock.toggle();
  clock.advance(1);
  assert.equal(clock.time, 0.5);
  clock.advance(10);
  assert.deepEqual([clock.time, clock.playing], [1, false]);
  clock.toggle();
  assert.deepEqual([clock.time, clock.playing], [0, true]);
});

test('speed steps through the offered ones and stays among them', () => {
  const clock = new Clock(0, 1);
  clock.changeSpeed(1);
  assert.equal(clock.speed, 2);
  for (let i = 0; i < 9; ++i) clock.changeSpeed(-1);
  assert.equal(clock.speed, 0.1);
});
