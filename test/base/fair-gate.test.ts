import { expect, test } from "bun:test"
import { FairGate, TooManyWaiting } from "../../src/base/fair-gate.ts"

const limits = { slots: 3, slotsOfTenant: 2, maxWaiting: 5 }

/** Takes slots in order, and records who got one. */
function setup() {
  const gate = new FairGate(limits)
  const entered: string[] = []
  const releases: (() => void)[] = []
  const take = (id: string, member?: string, signal?: AbortSignal) =>
    gate.take({ id, ...(member && { member }) }, signal).then((release) => {
      entered.push(member ? `${id}/${member}` : id)
      releases.push(release)
    })
  return { entered, releases, take }
}

test("one tenant leaves a slot to others", async () => {
  const { entered, take } = setup()
  for (let call = 0; call < 5; call++) void take("greedy")
  await Bun.sleep(0)
  expect(entered).toEqual(["greedy", "greedy"])
  await take("other")
  expect(entered).toEqual(["greedy", "greedy", "other"])
})

test("tenants come in turn, and so do a tenant's members", async () => {
  const { entered, releases, take } = setup()
  for (const member of ["a", "a", "a", "a", "b"]) void take("anonymous", member)
  for (const id of ["x", "x", "x", "x", "y"]) void take(id)
  while (entered.length < 10) {
    await Bun.sleep(0)
    for (const release of releases.splice(0, 1)) release()
  }
  // Neither the tenant nor the member that came last is served last.
  expect(entered.indexOf("y")).toBeLessThan(entered.lastIndexOf("x"))
  expect(entered.indexOf("anonymous/b")).toBeLessThan(entered.lastIndexOf("anonymous/a"))
})

test("a tenant may have a limited number of calls waiting", async () => {
  const { take } = setup()
  const calls = Array.from({ length: 8 }, () => take("greedy").catch((error) => error))
  expect(await calls[7]).toBeInstanceOf(TooManyWaiting)
})

test("an aborted caller leaves the queue, and a slot is released once", async () => {
  const { entered, releases, take } = setup()
  const control = new AbortController()
  await Promise.all([take("a"), take("a")])
  const waiting = take("a", undefined, control.signal).catch((error) => error)
  const last = take("a", "last")
  control.abort(new Error("gone"))
  expect((await waiting).message).toBe("gone")
  releases[0]!()
  releases[0]!()
  await last
  expect(entered).toEqual(["a", "a", "a/last"])
  void take("a")
  await Bun.sleep(0)
  expect(entered).toHaveLength(3)
})
