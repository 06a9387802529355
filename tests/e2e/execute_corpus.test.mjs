// The data of tests/bench/execute_corpus, which the scenario execute-corpus runs.
import assert from 'node:assert/strict';
import { commands, distinct, faults } from '../bench/corpus.mjs';
import { scenario } from './support/stage.mjs';

scenario('the corpus of commands has at least 500 that differ in more than their numbers', () => {
  assert.ok(distinct >= 500, `${distinct} of ${commands}`);
});

scenario('the corpus of commands has rows that are unique, members that are known, and a reason for each difference', () => {
  assert.deepEqual(faults(), []);
});
