// Chance that can be repeated: PTYD_TEST_SEED chooses it. Who uses it says the seed in what it prints.
export const seed = Number(process.env.PTYD_TEST_SEED ?? Date.now() % 1_000_000);

/** A function that returns a number from 0 on below its argument, the same ones for the same seed. */
export function random(from = seed) {
  let state = from >>> 0;
  return (below) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}
