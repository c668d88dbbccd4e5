import { expect, test } from "bun:test"
import { join } from "node:path"
import { ownLimit } from "../../../../src/engine/net/egress/own-limit.ts"

test.skipIf(process.platform !== "linux")(
  "a connection that fails without a free descriptor is not a failure of its host",
  async () => {
    const script = join(import.meta.dir, "exhausted.ts")
    const limited = ["sh", "-c", 'ulimit -n 128 && exec "$@"', "sh"]
    const child = Bun.spawn([...limited, process.execPath, script], {
      stdout: "pipe",
      stderr: "inherit",
    })
    const { full, free } = JSON.parse(await new Response(child.stdout).text())
    const own = "too_many_open_files"
    expect(full).toEqual({ address: own, name: own, dns: own, tls: own })
    expect(free).toEqual({ address: "none" })
  },
)

test("other failures are the host's, also of a lookup", () => {
  expect(ownLimit({ code: "ECONNRESET" }, "shop.example")).toBeUndefined()
  expect(ownLimit({ code: "ENOTFOUND" }, "shop.example")).toBeUndefined()
})
