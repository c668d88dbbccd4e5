import { expect, test } from "bun:test"
import { join } from "node:path"
import { collectNotices, noticesText } from "../../scripts/notices.ts"
import { ownEnvironment, trawlCommand } from "../trawl.ts"

const root = join(import.meta.dir, "../..")
const { default: lock } = (await import(join(root, "bun.lock"), {
  with: { type: "jsonc" },
})) as { default: Lock }

interface Lock {
  workspaces: Record<string, { dependencies: Record<string, string> }>
  packages: Record<string, [id: string, registry: string, needs?: Needs]>
}
interface Needs {
  /** Packages of machine code for one platform, which no bundle includes. */
  os?: unknown
  cpu?: unknown
  dependencies?: Record<string, string>
  optionalDependencies?: Record<string, string>
}

/**
 * Returns the packages that the program needs according to the lock file: `name@version` of each.
 */
function needed(): Set<string> {
  const found = new Set<string>()
  const visit = (path: string, needs: Needs) => {
    for (const name of Object.keys({ ...needs.dependencies, ...needs.optionalDependencies })) {
      // A package's own copy is listed under its path.
      const place = [`${path}/${name}`, name].find((place) => place in lock.packages)
      if (!place) continue
      const [id, , more = {}] = lock.packages[place]!
      if (found.has(id) || more.os || more.cpu) continue
      found.add(id)
      visit(place, more)
    }
  }
  visit("", lock.workspaces[""]!)
  return found
}

test("every package that the lock file has for the program has its notice", () => {
  const notices = new Map(
    collectNotices(root).map((notice) => [`${notice.name}@${notice.version}`, notice]),
  )
  const wanted = needed()
  expect(wanted.size).toBeGreaterThan(100)
  expect([...wanted].filter((id) => !notices.has(id))).toEqual([])
  for (const [id, { licence, text }] of notices) {
    expect([id, licence]).not.toEqual([id, "see its text"])
    expect(text.length, id).toBeGreaterThan(20)
  }
})

test("`trawl licenses` prints each with its text", () => {
  const { stdout, exitCode } = Bun.spawnSync([...trawlCommand, "licenses"], { env: ownEnvironment })
  expect(exitCode).toBe(0)
  const text = stdout.toString()
  for (const { name, version, text: terms } of collectNotices(root)) {
    expect(text).toContain(`${name} ${version} (`)
    expect(text).toContain(terms)
  }
  expect(text).toBe(noticesText(collectNotices(root)))
  expect(text).toContain(`Bun ${Bun.version}`)
  expect(text).toContain("Adobe CMap resources (BSD-3-Clause)")
})
