import assert from 'node:assert/strict';
import test from 'node:test';
import {fileStem, withoutVariables} from './export.js';

test('colours of the page are spelled out in a file', () => {
  const values = {'--go': '#00f', '--series-1': '#123'};
  assert.equal(withoutVariables('<a fill="var(--go)" stroke="var(--series-1)"/>', (name) => values[name]), '<a fill="#00f" stroke="#123"/>');
});

test('a file is named after its chart', () => {
  assert.equal(fileStem('What could be saved, and by whom?'), 'what-could-be-saved-and-by-whom');
  assert.equal(fileStem('∑'), 'chart');
  assert.ok(fileStem('a'.repeat(200)).length <= 60);
  assert.equal(fileStem('Where does the adapter save, where does it lose, and how much would an oracle'), 'where-does-the-adapter-save-where-does-it-lose-and-how-much');
});
