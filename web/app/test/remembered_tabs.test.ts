import { expect, test } from "vitest";
import { kMostRemembered, RememberedTabs } from "../src/remembered_tabs.ts";
import type { Place } from "../src/route.ts";

class Store implements Pick<Storage, "getItem" | "setItem"> {
  readonly items = new Map<string, string>();
  refuses = false;

  getItem(key: string): string | null {
    if (this.refuses) throw new Error("refused");
    return this.items.get(key) ?? null;
  }

  setItem(key: string, value: string): void {
    if (this.refuses) throw new Error("refused");
    this.items.set(key, value);
  }
}

const kAddress = "http://host:1/ptyd/#/a/b";
const place = (terminalId: string): Place => ({ threadId: "main", terminalId });
const places = (count: number) => Array.from({ length: count }, (_, number) => place(String(number)));
const nothing = { places: [], front: undefined };

function remembered(...stores: Store[]): RememberedTabs {
  return new RememberedTabs(kAddress, () => stores as unknown as Storage[]);
}

test("tabs, their order and the front one come back", () => {
  const store = new Store();
  const tabs = { places: [place("b"), place("a"), place("c")], front: place("a") };
  remembered(store).save(tabs);
  expect(remembered(store).load()).toEqual(tabs);
});

test("a window finds its own again, and a new one those that were saved last", () => {
  const [browser, one, other] = [new Store(), new Store(), new Store()];
  remembered(one, browser).save({ places: [place("one")], front: undefined });
  remembered(other, browser).save({ places: [place("other")], front: undefined });
  expect(remembered(one, browser).load().places).toEqual([place("one")]);
  expect(remembered(new Store(), browser).load().places).toEqual([place("other")]);
});

test("each path of a host has tabs of its own", () => {
  const store = new Store();
  remembered(store).save({ places: [place("a")], front: undefined });
  const beside = new RememberedTabs("http://host:1/", () => [store as unknown as Storage]);
  expect(beside.load()).toEqual(nothing);
});

test("at most so many are remembered, and the one in front among them", () => {
  const store = new Store();
  const saved = (count: number, front: Place) => {
    remembered(store).save({ places: places(count), front });
    return remembered(store).load();
  };
  expect(saved(kMostRemembered, place("0")).places).toEqual(places(kMostRemembered));
  expect(saved(kMostRemembered + 1, place("0")).places).toEqual(places(kMostRemembered));
  const last = saved(kMostRemembered + 1, place(String(kMostRemembered)));
  expect(last.places).toEqual(places(kMostRemembered + 1).slice(1));
  expect(last.front).toEqual(place(String(kMostRemembered)));
});

test("a front that is no tab is none", () => {
  const store = new Store();
  remembered(store).save({ places: [place("a")], front: place("b") });
  expect(remembered(store).load()).toEqual({ places: [place("a")], front: undefined });
});

test.each([
  ["no JSON", "{"],
  ["null", "null"],
  ["no list", '{"places":5}'],
  ["things that are no places", '{"places":[null,5,{},{"threadId":"","terminalId":"x"},{"threadId":"t"}]}'],
  ["a name without end", JSON.stringify({ places: [place("x".repeat(513))] })],
])("what another page wrote does no harm: %s", (_, text) => {
  const store = new Store();
  remembered(store).save(nothing);
  for (const key of store.items.keys()) store.items.set(key, text);
  expect(remembered(store).load()).toEqual(nothing);
});

test("a place that stands there twice comes once, and further fields not at all", () => {
  const store = new Store();
  remembered(store).save(nothing);
  const [key] = [...store.items.keys()];
  store.items.set(key as string, JSON.stringify({ places: [{ ...place("a"), more: 1 }, place("a")] }));
  expect(remembered(store).load().places).toEqual([place("a")]);
});

test("without storage the page remembers nothing, and works on", () => {
  const store = new Store();
  store.refuses = true;
  remembered(store).save({ places: [place("a")], front: undefined });
  expect(remembered(store).load()).toEqual(nothing);
});
