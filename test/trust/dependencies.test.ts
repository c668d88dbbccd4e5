import { expect, test } from "bun:test"
import { join } from "node:path"
import manifest from "../../package.json"
import { collectNotices } from "../../scripts/notices.ts"

/** `bun audit` needs a registry; this works without one. */
const root = join(import.meta.dir, "../..")
const { default: lock } = (await import(join(root, "bun.lock"), {
  with: { type: "jsonc" },
})) as { default: { packages: Record<string, unknown[]> } }

test("every dependency has one version", () => {
  const requested = { ...manifest.dependencies, ...manifest.devDependencies, ...manifest.overrides }
  const exact = /^(?:npm:[\w@/-]+@)?\d+\.\d+\.\d+(?:-[\w.]+)?$/
  expect(Object.entries(requested).filter(([, version]) => !exact.test(version))).toEqual([])
})

test("every package of the lock file has its hash, from the registry only", () => {
  const packages = Object.entries(lock.packages)
  expect(packages.length).toBeGreaterThan(200)
  const loose = packages.filter(([, [id, from, , hash]]) => {
    const isPinned = /@\d+\.\d+\.\d+[-+\w.]*$/.test(String(id))
    // An empty string means the configured registry; a URL would depend on a host.
    return !isPinned || from !== "" || !/^sha512-[\w+/]{86}==$/.test(String(hash))
  })
  expect(loose.map(([name]) => name)).toEqual([])
})

test("every package of the program has a licence that permits redistribution", () => {
  const free =
    /^(?:MIT|MIT-0|ISC|0BSD|BSD-[23]-Clause|Apache-2\.0|BlueOak-1\.0\.0|Unlicense|CC0-1\.0|Zlib|Python-2\.0)$/
  const isFree = (licence: string) =>
    licence
      .replace(/[()]/g, "")
      .split(/ OR /i)
      .some((choice) => choice.split(/ AND /i).every((one) => free.test(one.trim())))
  const others = collectNotices(root).filter(({ licence }) => !isFree(licence))
  // Its file contains the two clauses.
  expect(others.map(({ name, licence }) => `${name}: ${licence}`)).toEqual(["duck: BSD"])
})

test("no package may run a script when it is installed", () => {
  const own = manifest as { trustedDependencies?: string[] }
  expect(own.trustedDependencies ?? []).toEqual([])
})
