import { describe, expect, test } from "bun:test"
import fc from "fast-check"
import { FairQueue } from "../../../../src/engine/runtime/workers/fair-queue.ts"
import { priorities } from "../../../../src/store/runs/priority.ts"

const any = () => true

test("tenant queues take turns; within one, first come, first served", () => {
  const queue = new FairQueue()
  for (const id of ["a1", "a2", "a3", "b1", "c1", "b2"]) queue.add(id, id[0]!)
  const order: string[] = []
  for (let next = queue.next(any); next; next = queue.next(any)) order.push(next.id)
  expect(order).toEqual(["a1", "b1", "c1", "a2", "b2", "a3"])
})

test("a queue that may not continue does not delay the others", () => {
  const queue = new FairQueue()
  for (const id of ["a1", "a2", "b1"]) queue.add(id, id[0]!)
  expect(queue.next((_, tenant) => tenant !== "a")?.id).toBe("b1")
  expect(queue.next((_, tenant) => tenant !== "a")).toBeUndefined()
  queue.remove("a1")
  expect(queue.next(any)?.id).toBe("a2")
  expect(queue.size).toBe(0)
})

test("a queue with nothing running comes first, then the one whose turn has not finished", () => {
  const queue = new FairQueue()
  for (const id of ["a1", "b1", "b2", "c1"]) queue.add(id, id[0]!)
  queue.add("n1", "n", { isFresh: true })
  queue.add("n2", "n", { isFresh: true })
  const order: string[] = []
  for (let next = queue.next(any, "b"); next; next = queue.next(any, "b")) order.push(next.id)
  expect(order).toEqual(["n1", "b1", "b2", "a1", "c1", "n2"])
})

test("each run comes out once, and no queue waits for more than one turn of every other", () => {
  const ids = fc.array(fc.nat({ max: 5 }), { maxLength: 60 })
  fc.assert(
    fc.property(ids, (tenants) => {
      const queue = new FairQueue()
      for (const [index, tenant] of tenants.entries()) queue.add(`${index}`, `${tenant}`)
      const left = new Map<string, number>()
      for (const tenant of tenants) left.set(`${tenant}`, (left.get(`${tenant}`) ?? 0) + 1)
      const out: string[] = []
      const since = new Map<string, number>()
      for (let next = queue.next(any); next; next = queue.next(any)) {
        out.push(next.id)
        left.set(next.tenant, left.get(next.tenant)! - 1)
        since.set(next.tenant, 0)
        for (const [tenant, count] of left) {
          if (tenant === next.tenant || count === 0) continue
          const waited = (since.get(tenant) ?? 0) + 1
          since.set(tenant, waited)
          expect(waited).toBeLessThan(6)
        }
      }
      expect(out.map(Number).sort((a, b) => a - b)).toEqual(tenants.map((_, index) => index))
    }),
  )
})

describe("within a queue", () => {
  const drained = (queue: FairQueue) => {
    const order: string[] = []
    for (let next = queue.next(any); next; next = queue.next(any)) order.push(next.id)
    return order
  }

  test("waiting calls come before others, and these before batches and schedules", () => {
    const queue = new FairQueue()
    queue.add("batch", "a", { priority: priorities.background })
    queue.add("call", "a")
    queue.add("interactive", "a", { priority: priorities.interactive })
    expect(drained(queue)).toEqual(["interactive", "call", "batch"])
  })

  test("a call overtakes a batch of ten thousand, and the batch does not wait forever", () => {
    const queue = new FairQueue()
    for (let index = 0; index < 10_000; index++) {
      queue.add(`batch ${index}`, "a", { priority: priorities.background })
    }
    for (let index = 0; index < 8; index++) {
      queue.add(`call ${index}`, "a", { priority: priorities.interactive })
    }
    const order = drained(queue)
    expect(order).toHaveLength(10_008)
    expect(order.slice(0, 5)).toEqual(["call 0", "call 1", "call 2", "batch 0", "call 3"])
    expect(order.slice(5, 11)).toEqual([
      "call 4",
      "call 5",
      "batch 1",
      "call 6",
      "call 7",
      "batch 2",
    ])
  })

  test("a removed run is not claimed", () => {
    const queue = new FairQueue()
    for (const id of ["one", "two"]) queue.add(id, "a", { priority: priorities.background })
    queue.remove("one")
    expect([drained(queue), queue.size]).toEqual([["two"], 0])
  })
})
