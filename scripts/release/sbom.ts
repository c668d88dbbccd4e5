import type { Notice } from "../notices.ts"
import { packageOf, pinned } from "./runtimes.ts"

interface Parts {
  version: string
  notices: readonly Pick<Notice, "name" | "version" | "licence">[]
  /** The text of bun.lock, which contains each package's checksum. */
  lock: string
  at: Date
}

/** Returns the packages in the executable as CycloneDX 1.6. */
export function billOfMaterials({ version, notices, lock, at }: Parts): string {
  const component = (one: Parts["notices"][number]) => {
    const sha512 = checksum(lock, `${one.name}@${one.version}`)
    return {
      type: "library",
      "bom-ref": purl(one.name, one.version),
      name: one.name,
      version: one.version,
      purl: purl(one.name, one.version),
      licenses: [{ expression: one.licence }].filter(
        ({ expression }) => /^[\w.()+ -]+$/.test(expression) && !expression.includes(" its "),
      ),
      ...(sha512 && { hashes: [{ alg: "SHA-512", content: sha512 }] }),
    }
  }
  const runtime = {
    type: "framework",
    "bom-ref": `pkg:github/oven-sh/bun@${Bun.version}`,
    name: "bun",
    version: Bun.version,
    purl: `pkg:github/oven-sh/bun@bun-v${Bun.version}`,
    licenses: [{ license: { id: "MIT" } }],
    externalReferences: Object.entries(pinned.integrity).map(([platform, integrity]) => ({
      type: "distribution",
      url: purl(packageOf(platform), pinned.version),
      hashes: [{ alg: "SHA-512", content: inHex(integrity) }],
    })),
  }
  const components = [runtime, ...notices.map(component)]
  const own = `pkg:generic/trawl@${version}`
  const document = {
    bomFormat: "CycloneDX",
    specVersion: "1.6",
    version: 1,
    metadata: {
      timestamp: at.toISOString(),
      component: {
        type: "application",
        "bom-ref": own,
        name: "trawl",
        version,
        purl: own,
        licenses: [{ license: { id: "MIT" } }],
      },
    },
    components,
    dependencies: [{ ref: own, dependsOn: components.map((one) => one["bom-ref"]) }],
  }
  return `${JSON.stringify(document, null, 2)}\n`
}

const purl = (name: string, version: string) => `pkg:npm/${name.replace(/^@/, "%40")}@${version}`

/** Returns the checksum on a line such as `"kysely": ["kysely@0.29.9", "", {}, "sha512-…"]`. */
function checksum(lock: string, pinned: string): string | undefined {
  const line = lock.split("\n").find((one) => one.includes(`["${pinned}"`))
  const [, integrity] = /"(sha512-[\w+/=]+)"/.exec(line ?? "") ?? []
  return integrity && inHex(integrity)
}

/** Converts a `sha512-…` checksum of a package. */
function inHex(integrity: string): string {
  return Buffer.from(integrity.slice("sha512-".length), "base64").toString("hex")
}
