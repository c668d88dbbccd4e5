import { expect, test } from "bun:test"
import { copyFileSync, mkdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { Installation } from "../../../api/process.ts"

const litestream = process.env.TRAWL_TEST_LITESTREAM ?? Bun.which("litestream")
if (!litestream) {
  console.log(
    "litestream was not found, so it is not run next to the service (npm pack @flydotio/litestream-linux-x64; TRAWL_TEST_LITESTREAM names the program).",
  )
}

test.if(litestream !== null)(
  "Litestream copies what is written meanwhile, and restores it complete",
  async () => {
    const [source, copy] = [new Installation(), new Installation()]
    const path = join(source.folder, "data/trawl.db")
    const config = join(source.folder, "litestream.yml")
    const replica = { path: join(source.folder, "replica"), "sync-interval": "100ms" }
    // JSON is valid YAML.
    writeFileSync(
      config,
      JSON.stringify({ dbs: [{ path, replicas: [{ type: "file", ...replica }] }] }),
    )
    const run = (...words: string[]) =>
      Bun.spawn([litestream!, ...words], { stdout: "ignore", stderr: "ignore" })
    const names = Array.from({ length: 30 }, (_, number) => `key ${number}`)
    let replication: Bun.Subprocess | undefined
    try {
      const service = await source.serve()
      replication = run("replicate", "-config", config)
      const { stdout } = await source.run("account", "create", "kept@example.com")
      const authorization = `Bearer ${/trawl_live_\w+/.exec(stdout)![0]}`
      for (const name of names) {
        const response = await fetch(`${service.root}/api/v1/keys`, {
          method: "POST",
          headers: { authorization, "content-type": "application/json" },
          body: JSON.stringify({ name }),
        })
        expect(response.status).toBe(201)
      }
      // Litestream's own folder next to the database, and its lock, do not affect the service.
      expect(service.lines.filter(({ level }) => level === "error")).toEqual([])
      await service.end("SIGKILL")
      replication.kill("SIGTERM")
      await replication.exited

      const data = join(copy.folder, "data")
      mkdirSync(data)
      const restored = run("restore", "-config", config, "-o", join(data, "trawl.db"), path)
      expect(await restored.exited).toBe(0)
      copyFileSync(join(source.folder, "data/trawl.key"), join(data, "trawl.key"))
      expect((await copy.run("doctor")).stdout).toMatch(/database +up to date and intact/)
      const again = await copy.serve()
      const response = await fetch(`${again.root}/api/v1/keys?limit=100`, {
        headers: { authorization },
      })
      const { items } = (await response.json()) as { items: { name: string }[] }
      expect(items.map(({ name }) => name)).toEqual(expect.arrayContaining(names))
      await again.end()
    } finally {
      replication?.kill("SIGTERM")
      await source.remove()
      await copy.remove()
    }
  },
  60_000,
)
