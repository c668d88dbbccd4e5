import { afterEach, expect, test } from "bun:test"
import { decodeError, encodeError, keepClasses } from "../../src/base/error-crossing.ts"
import { connect, serve, transfer } from "../../src/base/rpc.ts"

interface Service {
  add(a: number, b: number): number
  echo(value: unknown): Promise<unknown>
  fail(kind: string): void
  steps(count: number, step: (n: number) => void): Promise<string>
  wait(signal?: AbortSignal): Promise<unknown>
  bytes(value: Uint8Array<ArrayBuffer>): Uint8Array<ArrayBuffer>
  hold(n: number): Promise<number>
  note(what: string): void
}

class Refusal extends Error {
  readonly kind = "Refusal"
  constructor(
    message: string,
    readonly retryAfter: number | null,
  ) {
    super(message)
  }
}
keepClasses({ Refusal })

const ports: MessagePort[] = []
afterEach(() => {
  for (const port of ports.splice(0)) port.close()
})

/** Both ends in this thread; messages are still cloned. */
function pair(most?: number) {
  const { port1, port2 } = new MessageChannel()
  ports.push(port1, port2)
  const state = {
    notes: [] as string[],
    begun: [] as number[],
    go: [] as (() => void)[],
    lastStep: (_: number): void => {},
  }
  const end = serve<Service>(port1, {
    add: (a, b) => a + b,
    echo: async (value) => value,
    fail(kind) {
      if (kind === "refusal") throw new Refusal("later", 30)
      if (kind === "code") throw Object.assign(new RangeError("busy"), { code: "BUSY", secret: 1 })
      throw "only words"
    },
    async steps(count, step) {
      state.lastStep = step
      for (let n = 1; n <= count; n++) step(n)
      return "done"
    },
    wait: (signal) =>
      new Promise((_, reject) =>
        signal?.addEventListener("abort", () => reject(signal.reason), { once: true }),
      ),
    bytes: (value) => transfer(value, [value.buffer]),
    hold: (n) =>
      new Promise((resolve) => {
        state.begun.push(n)
        state.go.push(() => resolve(n))
      }),
    note: (what) => void state.notes.push(what),
  })
  return { ...connect<Service>(port2, most), state, end }
}

const reasonOf = (promise: Promise<unknown>) =>
  promise.then(
    () => {
      throw new Error("The value was not refused.")
    },
    (error) => error,
  )

test("calls are paired with their own replies, whatever their order", async () => {
  const { calls, state } = pair()
  const held = calls.hold(7)
  expect(await Promise.all([calls.add(1, 2), calls.add(3, 4)])).toEqual([3, 7])
  expect(await calls.echo({ a: [1, null, new Date(0)] })).toEqual({ a: [1, null, new Date(0)] })
  state.go[0]!()
  expect(await held).toBe(7)
})

test("an error keeps its class and its fields, or its name and code", async () => {
  const { calls } = pair()
  const refusal = await reasonOf(calls.fail("refusal"))
  expect(refusal).toBeInstanceOf(Refusal)
  expect(refusal).toMatchObject({ message: "later", retryAfter: 30, name: "Refusal" })
  const coded = await reasonOf(calls.fail("code"))
  expect(coded).toBeInstanceOf(Error)
  expect(coded).toMatchObject({ message: "busy", name: "RangeError", code: "BUSY" })
  expect("secret" in coded).toBe(false)
  expect(await reasonOf(calls.fail(""))).toMatchObject({ message: "only words" })
})

test("an error of an unknown class is a plain one", () => {
  const error = decodeError({ kind: "Elsewhere", message: "x", code: "y" })
  expect(error).toMatchObject({ message: "x", code: "y" })
  expect(encodeError(error)).toEqual({ name: "Error", message: "x", code: "y" })
})

test("a function can be called back as long as its call lasts", async () => {
  const { calls, state } = pair()
  const seen: number[] = []
  expect(await calls.steps(3, (n) => seen.push(n))).toBe("done")
  state.lastStep(4)
  await calls.add(0, 0)
  expect(seen).toEqual([1, 2, 3])
})

test("an aborted signal is aborted on the other side, with its reason", async () => {
  const { calls, end } = pair()
  const control = new AbortController()
  const waiting = reasonOf(calls.wait(control.signal))
  control.abort(new Refusal("enough", null))
  expect(await waiting).toBeInstanceOf(Refusal)
  expect(await reasonOf(calls.wait(control.signal))).toMatchObject({ message: "enough" })
  const other = reasonOf(calls.wait(new AbortController().signal))
  await calls.add(0, 0)
  end()
  expect((await other).message).toContain("has ended")
})

test("no more calls run at once than allowed, and all come in order", async () => {
  const { calls, state } = pair(2)
  const all = [1, 2, 3, 4, 5].map((n) => calls.hold(n))
  for (let sent = 2; sent < 5; sent++) {
    while (state.begun.length < sent) await Bun.sleep(1)
    await Bun.sleep(5)
    expect(state.begun).toEqual([1, 2, 3, 4, 5].slice(0, sent))
    state.go[sent - 2]!()
  }
  while (state.go.length < 5) await Bun.sleep(1)
  for (const go of state.go) go()
  expect(await Promise.all(all)).toEqual([1, 2, 3, 4, 5])
})

test("a value that cannot be posted is refused, and holds no slot", async () => {
  const { calls } = pair(1)
  const refused = [reasonOf(calls.echo({ f() {} })), reasonOf(calls.echo({ f() {} }))]
  expect((await Promise.all(refused)).map(({ name }) => name)).toEqual([
    "DataCloneError",
    "DataCloneError",
  ])
  expect(await calls.add(1, 1)).toBe(2)
})

test("bytes are transferred if requested, and cloned otherwise", async () => {
  const { calls } = pair()
  const cloned = new Uint8Array([1, 2])
  expect(await calls.bytes(cloned)).toEqual(cloned)
  expect(cloned.length).toBe(2)
  const bytes = new Uint8Array([3, 4])
  expect([...(await calls.bytes(transfer(bytes, [bytes.buffer])))]).toEqual([3, 4])
  expect(bytes.length).toBe(0)
})

test("when the other side ends, running, waiting and later calls are refused", async () => {
  const { calls, fail } = pair(1)
  const refused = [reasonOf(calls.hold(1)), reasonOf(calls.hold(2))]
  fail(new Error("gone"))
  refused.push(reasonOf(calls.hold(3)))
  expect((await Promise.all(refused)).map(({ message }) => message)).toEqual(Array(3).fill("gone"))
})

test("a notification has no reply, and arrives before later calls", async () => {
  const { calls, tells: notifications, state } = pair()
  expect(notifications.note("first")).toBeUndefined()
  await calls.note("second")
  expect(state.notes).toEqual(["first", "second"])
})
