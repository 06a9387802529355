// Patterns: what a frame must be, as data. Anything but what follows stands for itself.
//
//   "<<name>>"                       the value bound to that name; while there is none it is bound to what is there
//   "... <<name>> ..."               the bound value inside a text
//   {"~": regex, "as": [name ...]}   a text that matches; its groups are bound
//   {"~bytes": n}                    a text of so many bytes of UTF-8
//   {"~has": {...}}                  an object with at least these members
//   {"~all": [...]}                  each of these
//   {"~repeat": [text, n]}           a text, n times
//   {"~any": true}                   anything
//
// An object has the members of its pattern and no others, but for `data` of an error, which few patterns look at.
import assert from 'node:assert/strict';

const NAME = /<<(\w+)>>/g;
const WHOLE = /^<<(\w+)>>$/;

/** `value` with everything in it that is bound or made. */
export function fill(value, bound) {
  if (typeof value === 'string') {
    const whole = value.match(WHOLE);
    if (whole && bound.has(whole[1])) return bound.get(whole[1]);
    return value.replace(NAME, (text, name) => (bound.has(name) ? String(bound.get(name)) : text));
  }
  if (Array.isArray(value)) return value.map((each) => fill(each, bound));
  if (value === null || typeof value !== 'object') return value;
  if ('~repeat' in value) return fill(value['~repeat'][0], bound).repeat(value['~repeat'][1]);
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, fill(each, bound)]));
}

const operators = {
  '~': (pattern, actual, bound, where) => {
    assert.equal(typeof actual, 'string', `${where} is no text`);
    const found = actual.match(new RegExp(pattern['~'], 'm'));
    assert.ok(found, `${where} does not match ${pattern['~']}: ${JSON.stringify(actual).slice(0, 400)}`);
    (pattern.as ?? []).forEach((name, n) => bound.set(name, found[n + 1]));
  },
  '~bytes': (pattern, actual, bound, where) => assert.equal(Buffer.byteLength(actual), pattern['~bytes'], `bytes of ${where}`),
  '~has': (pattern, actual, bound, where) => {
    for (const [key, each] of Object.entries(pattern['~has'])) match(each, actual?.[key], bound, `${where}.${key}`);
  },
  '~all': (pattern, actual, bound, where) => pattern['~all'].forEach((each) => match(each, actual, bound, where)),
  '~any': () => {},
};

/** Throws when `actual` is not what `pattern` says; binds names. */
export function match(pattern, actual, bound, where = 'the frame') {
  const unbound = typeof pattern === 'string' && pattern.match(WHOLE);
  if (unbound && !bound.has(unbound[1])) {
    assert.notEqual(actual, undefined, `${where} is missing`);
    return void bound.set(unbound[1], actual);
  }
  const operator = pattern !== null && typeof pattern === 'object' && Object.keys(operators).find((name) => name in pattern);
  if (operator) return operators[operator](pattern, actual, bound, where);
  const wanted = pattern !== null && typeof pattern === 'object' && '~repeat' in pattern ? fill(pattern, bound) : pattern;
  if (wanted === null || typeof wanted !== 'object') return assert.deepEqual(actual, fill(wanted, bound), where);
  assert.ok(actual !== null && typeof actual === 'object', `${where} is ${JSON.stringify(actual)}`);
  const looked = Object.keys(actual).filter((key) => key in wanted || key !== 'data');
  assert.deepEqual(looked.sort(), Object.keys(wanted).sort(), `members of ${where}: ${JSON.stringify(actual).slice(0, 400)}`);
  for (const key of Object.keys(wanted)) match(wanted[key], actual[key], bound, `${where}.${key}`);
}
