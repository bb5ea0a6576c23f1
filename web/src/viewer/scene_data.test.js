import assert from 'node:assert/strict';
import test from 'node:test';
import {decodeFloats, finiteFrames, frameBefore, readScene} from './scene_data.js';

const encode = (values) => Buffer.from(new Float32Array(values).buffer).toString('base64');

test('floats survive base64', () => {
  assert.deepEqual([...decodeFloats(encode([0, -1.5, 3e7]))], [0, -1.5, 3e7]);
});

test('the frame before a time is the last one not after it', () => {
  const times = [0, 0.5, 1];
  assert.deepEqual([-1, 0, 0.49, 0.5, 2].map((t) => frameBefore(times, t)), [0, 0, 0, 1, 2]);
});

test('a diverged track ends before its first pose that is not finite', () => {
  assert.equal(finiteFrames([1, 2, 3, NaN, 5, 6], 3), 1);
  assert.equal(finiteFrames([1, 2, 3, 4], 2), 2);
});

test('a scene spans all its tracks and drops those without frames', () => {
  const track = (times) => ({name: 'a', ghost: false, color: '', times: encode(times), poses: encode(times.flatMap(() => [0, 0, 0, 1, 0, 0, 0])),
    series: [], events: []});
  const scene = readScene({bodies: 1, terrain: null, tracks: [track([0, 1]), track([0.5, 3]), track([])]});
  assert.equal(scene.tracks.length, 2);
  assert.deepEqual([scene.start, scene.end], [0, 3]);
  assert.notEqual(scene.tracks[0].color, scene.tracks[1].color);
});
