import { afterAll, expect, test } from "bun:test"
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { sizeReport } from "../../scripts/build-sizes.ts"

const folder = mkdtempSync(join(tmpdir(), "trawl-sizes-test-"))
afterAll(() => rmSync(folder, { recursive: true }))

test("the parts of an executable add up to its difference from Bun", () => {
  writeFileSync(join(folder, "thread.br"), new Uint8Array(1_000_000))
  const inputs = (bytes: Record<string, number>) => ({
    ...{ bytes: 0, imports: [], exports: [] },
    inputs: Object.fromEntries(
      Object.entries(bytes).map(([path, bytesInOutput]) => [path, { bytesInOutput }]),
    ),
  })
  const metafile = {
    inputs: {},
    outputs: {
      "./a.js": inputs({ "src/api/a.ts": 600_000, "node_modules/@x/y/z.js": 200_000 }),
      "./b.js": inputs({ "src/engine/net/http/b.ts": 200_000 }),
      "./thread.br": inputs({ "dist/thread.br": 1_000_000 }),
    },
  } as unknown as Bun.BuildMetafile
  const lines = sizeReport(metafile, folder, { executable: 106_000_000, runtime: 100_000_000 })
  const parts = lines.flatMap((line) => {
    const [, name, megabytes] = /^(\S+) +([\d.]+) MB$/.exec(line) ?? []
    return name ? [[name, Number(megabytes)]] : []
  })
  expect(parts).toEqual([
    ["executable", 106],
    ["src/api", 3],
    ["node_modules/@x/y", 1],
    ["src/engine/net", 1],
    ["thread.br", 1],
  ])
  expect(lines).toContain("1.060 times the size of Bun")
})
