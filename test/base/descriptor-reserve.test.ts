import { describe, expect, test } from "bun:test"
import { join } from "node:path"
import { DescriptorReserve } from "../../src/base/descriptor-reserve.ts"

const isLinux = process.platform === "linux"

async function startedWithoutDescriptors(kind: "reserved" | "plain"): Promise<[string, number]> {
  const script = join(import.meta.dir, "scarce.ts")
  const command = `ulimit -n 256; exec "${process.execPath}" "${script}" ${kind}`
  const child = Bun.spawn(["bash", "-c", command], { stdout: "pipe", stderr: "ignore" })
  return [(await new Response(child.stdout).text()).trim().split("\n").at(-1)!, await child.exited]
}

test.skipIf(!isLinux)("a thread starts even if all descriptors are open", async () => {
  expect(await startedWithoutDescriptors("reserved")).toEqual(["alive", 0])
  // Without the reserve, the runtime ends the process. If this test fails, the reserve is no longer
  // needed.
  expect((await startedWithoutDescriptors("plain"))[1]).not.toBe(0)
})

describe.skipIf(!isLinux)("idle connections", () => {
  const closedWith = (open: number) => {
    let closed = 0
    const reserve = new DescriptorReserve(
      () => void closed++,
      () => ({ open, max: 1000 }),
    )
    reserve.start(() => {})
    reserve.release()
    return closed
  }

  test("are closed before a thread starts if few descriptors are left", () => {
    expect(closedWith(940)).toBe(1)
    expect(closedWith(Number.POSITIVE_INFINITY)).toBe(1)
  })

  test("stay open otherwise", () => {
    expect(closedWith(900)).toBe(0)
  })
})
