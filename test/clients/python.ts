import { beforeAll, describe, expect, test } from "bun:test"
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { output, type RunningService, root, sharedService } from "./service.ts"

/** The Python client, tested by Python's unittest with each Python that CLIENT_PYTHONS names. */
const client = join(root, "clients/python")
/** Paths separated by commas; the default is the installed one. */
const pythons = (process.env.CLIENT_PYTHONS ?? "python3").split(",")

interface Python {
  path: string
  isSupported: boolean
  /** Of those that some tests need. */
  modules: string[]
}

function pythonAt(path: string): Python {
  const script = `import importlib.util as u, sys
print(sys.version_info >= (3, 9), *[n for n in ("httpx", "pandas", "mypy", "pip") if u.find_spec(n)])`
  if (!Bun.which(path)) return { path, isSupported: false, modules: [] }
  const { stdout } = Bun.spawnSync([path, "-c", script])
  const [isSupported, ...modules] = stdout.toString().trim().split(" ")
  return { path, isSupported: isSupported === "True", modules }
}

/** The names of the tests by class, from their sources. */
const names = [...new Bun.Glob("test_*.py").scanSync(join(client, "tests"))]
  .sort()
  .flatMap((file) => {
    const source = readFileSync(join(client, "tests", file), "utf8")
    return [...source.matchAll(/^ +(?:async )?def (test_\w+)/gm)].map(
      ([, name]) => `${file.slice(0, -3)}.${name}`,
    )
  })

let service: RunningService
beforeAll(async () => {
  if (pythons.some((path) => pythonAt(path).isSupported)) service = await sharedService()
}, 120_000)

for (const path of pythons) {
  const python = pythonAt(path)
  describe.skipIf(!python.isSupported)(path, () => {
    /** The outcome of each test. */
    const outcomes = new Map<string, string>()
    let log = ""
    beforeAll(async () => {
      const folder = mkdtempSync(join(tmpdir(), "trawl-python-"))
      try {
        cpSync(client, folder, { recursive: true })
        const child = Bun.spawn(
          [path, "-m", "unittest", "discover", "-v", "-t", ".", "-s", "tests"],
          {
            cwd: folder,
            env: {
              ...process.env,
              PYTHONPATH: "src",
              CLIENT_URL: service.url,
              CLIENT_KEY: await service.newKey(`python-${pythons.indexOf(path)}`),
            },
            stdout: "ignore",
            stderr: "pipe",
          },
        )
        log = await new Response(child.stderr).text()
        await child.exited
      } finally {
        rmSync(folder, { recursive: true, force: true })
      }
      // asyncio can log slow steps between a name and its outcome.
      const lines = /^(test_\w+) \(tests\.(\w+)[^)]*\) \.\.\.[\s\S]*?\b(ok|FAIL|ERROR|skipped)\b/gm
      for (const [, name, module, outcome] of log.matchAll(lines)) {
        outcomes.set(`${module}.${name}`, outcome!)
      }
    }, 120_000)

    for (const name of names) {
      const needed = ["httpx", "pandas"].find((module) => name.endsWith(`_with_${module}`))
      const isMissing = needed !== undefined && !python.modules.includes(needed)
      test.skipIf(isMissing)(name, () => {
        if (outcomes.get(name) !== "ok") throw new Error(`${name}: ${outcomes.get(name)}\n${log}`)
      })
    }

    test.skipIf(!python.modules.includes("mypy"))(
      "mypy --strict finds nothing",
      async () => {
        const found = await output([path, "-m", "mypy", "--strict", "--cache-dir", "/dev/null"], {
          cwd: client,
        })
        expect(found).toStartWith("Success")
      },
      120_000,
    )

    const canInstall = python.modules.includes("pip")
    test.skipIf(!canInstall)(
      "the wheel is installed by pip",
      async () => {
        const folder = mkdtempSync(join(tmpdir(), "trawl-wheel-"))
        try {
          cpSync(client, join(folder, "source"), { recursive: true })
          // Builds the wheel, too. A folder of its own instead of an environment, which takes pip four
          // times as long.
          const pip = ["-m", "pip", "--disable-pip-version-check", "--no-cache-dir"]
          const install = ["install", "--no-index", "--quiet", "--target", "site", "./source"]
          await output([path, ...pip, ...install], { cwd: folder })
          const site = join(folder, "site")
          const info = "trawl_client-0.9.0.dist-info"
          expect(readdirSync(site).sort()).toEqual(["trawl_client", info])
          expect(readFileSync(join(site, info, "WHEEL"), "utf8")).toContain("Tag: py3-none-any")
          writeFileSync(
            join(folder, "use.py"),
            `import importlib.metadata, importlib.resources, trawl_client
from trawl_client import Client
with Client(${JSON.stringify(service.url)}, api_key=${JSON.stringify(service.key)}) as trawl:
    item = trawl.run("pypi-package-scraper", {"packages": ["flask"]}).items[0]
typed = importlib.resources.files(trawl_client).joinpath("py.typed").is_file()
print(item["version"], importlib.metadata.version("trawl-client"), trawl_client.__version__, typed)
`,
          )
          const env = { PYTHONPATH: site }
          const printed = await output([path, "use.py"], { cwd: folder, env })
          expect(printed).toBe("3.1.2 0.9.0 0.9.0 True\n")
          const files = readdirSync(site, { recursive: true })
          expect(files).toContain("trawl_client/scrapers.py")
          expect(files.filter((file) => String(file).includes("tests"))).toEqual([])
        } finally {
          rmSync(folder, { recursive: true, force: true })
        }
      },
      300_000,
    )
  })
}

test("the version is that of Trawl", async () => {
  const { version } = await Bun.file(join(root, "package.json")).json()
  const files = ["pyproject.toml", "src/trawl_client/__init__.py"]
  for (const file of files) {
    const source = readFileSync(join(client, file), "utf8")
    expect(/^(?:__version__|version) = "(.*)"$/m.exec(source)?.[1], file).toBe(version)
  }
})
