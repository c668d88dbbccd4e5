import { expect, test } from "bun:test"
import { Semaphore } from "../../src/base/semaphore.ts"

const turn = () => new Promise((resolve) => setImmediate(resolve))

test("no more run than there are slots, and the others in their order", async () => {
  const slots = new Semaphore(2)
  const came: number[] = []
  const leave: (() => void)[] = []
  for (let who = 0; who < 5; who++) {
    void slots.take().then((give) => {
      came.push(who)
      leave.push(give)
    })
  }
  await turn()
  expect(came).toEqual([0, 1])
  leave[0]!()
  leave[1]!()
  await turn()
  expect(came).toEqual([0, 1, 2, 3])
})

test("a slot is released once, however often that is called", async () => {
  const slots = new Semaphore(1)
  const first = await slots.take()
  let inside = 0
  for (let who = 0; who < 3; who++) void slots.take().then(() => inside++)
  first()
  first()
  await turn()
  expect(inside).toBe(1)
})

test("an aborted waiter leaves the queue, and takes no slot", async () => {
  const slots = new Semaphore(1)
  const first = await slots.take()
  const control = new AbortController()
  const provided = slots.take(control.signal).catch((error) => error)
  const next = slots.take()
  control.abort("enough")
  expect(await provided).toBe("enough")
  first()
  expect(await next).toBeFunction()
  expect(await slots.take(control.signal).catch((error) => error)).toBe("enough")
})
