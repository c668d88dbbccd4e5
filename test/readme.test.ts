import { afterAll, beforeAll, describe, expect, test } from "bun:test"
import { existsSync, readFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { programOf } from "../src/cli/main.ts"
import { reportedCommands } from "../src/cli/shell/commands.ts"
import { Installation, type Serving } from "./api/process.ts"
import { ownCases } from "./corpus-run.ts"

/** The code blocks of README and guide: requests run against a service with recorded upstreams. */
const root = join(import.meta.dir, "..")
const documents = [
  "README.md",
  ...[...new Bun.Glob("docs/guide/**/*.md").scanSync(root)]
    .filter((path) => !path.includes("/reference/"))
    .sort(),
]

interface Block {
  document: string
  language: string
  text: string
  /** The JSON block that follows a command, without text between them. */
  response: unknown
}

const blocks: Block[] = documents.flatMap((document) => {
  const source = readFileSync(join(root, document), "utf8")
  const found = [...source.matchAll(/^( *)```(\w*)\n([\s\S]*?)^ *```$/gm)]
  return found.map((match, at) => {
    const next = found[at + 1]
    const between = next ? source.slice(match.index + match[0].length, next.index) : ""
    const isAnswered = match[3]!.startsWith("curl ") && next?.[2] === "json" && !between.trim()
    return {
      document,
      language: match[2]!,
      text: match[3]!.replaceAll(`\n${match[1]!}`, "\n"),
      response: isAnswered ? JSON.parse(next[3]!) : undefined,
    }
  })
})
const shell = blocks.filter(({ language }) => language === "sh")
const calls = shell.filter(({ text }) => /^curl [^\n]*(?:\$TRAWL|127\.0\.0\.1:8080)/m.test(text))

/** Fields whose values differ between requests. */
const changing = new Set(["id", "datasetId", "agentId", "resetsAt", "remaining", "used"])

/**
 * Compares a documented response with the real one. The documented one can omit fields, and shorten
 * texts and lists with "…".
 */
function expectShown(shown: unknown, actual: unknown, path: string): void {
  if (typeof shown === "string" && shown.endsWith(" …")) {
    expect(String(actual).slice(0, shown.length - 2), path).toBe(shown.slice(0, -2))
  } else if (Array.isArray(shown)) {
    expect(actual, path).toBeArrayOfSize(shown.length)
    for (const [at, one] of shown.entries()) {
      expectShown(one, (actual as unknown[])[at], `${path}[${at}]`)
    }
  } else if (typeof shown === "object" && shown !== null) {
    expect(actual, path).toBeObject()
    for (const [name, value] of Object.entries(shown)) {
      const found = (actual as Record<string, unknown>)[name]
      if (changing.has(name)) expect(typeof found, `${path}.${name}`).toBe(typeof value)
      else expectShown(value, found, `${path}.${name}`)
    }
  } else expect(actual, path).toEqual(shown)
}

const pythonPath = join(root, "clients/python/src")

/** Returns the modules that a Python program imports. */
const importsOf = ({ text }: Block): string[] =>
  [...text.matchAll(/^(?:from|import) ([\w]+)/gm)].map(([, name]) => name!)

/** Returns the npm packages of a JavaScript example, without the project's own client. */
const packagesOf = ({ language, text }: Block): string[] =>
  language === "python"
    ? []
    : [...text.matchAll(/ from "([^"]+)"/g)]
        .map(([, name]) => name!)
        .filter((name) => name !== "trawl-client" && !name.startsWith("node:"))

function isInstalled(name: string): boolean {
  try {
    import.meta.resolve(name)
    return true
  } catch {
    return false
  }
}

/** Returns the modules that are not installed here. Python itself can be missing, too. */
function missingModules(programs: Block[]): Set<string> {
  const names = [...new Set(programs.flatMap(importsOf))]
  if (!Bun.which("python3")) return new Set(names)
  const script =
    "import importlib.util as u, sys; print(*[n for n in sys.argv[1:] if not u.find_spec(n)])"
  const { stdout } = Bun.spawnSync(["python3", "-c", script, ...names], {
    env: { ...process.env, PYTHONPATH: pythonPath },
  })
  return new Set(stdout.toString().trim().split(" "))
}

describe("the requests of README and guide work as documented", () => {
  const installation = new Installation({
    TRAWL_REPLAY: [join(import.meta.dir, "fixtures/guide"), ownCases].join(","),
    TRAWL_KEYLESS_WAIT: "110",
    TRAWL_RATE_LIMIT: "0",
  })
  let serving: Serving
  let env: Record<string, string>

  const post = async (path: string, body: unknown): Promise<Record<string, string>> => {
    const headers = { authorization: `Bearer ${env.KEY}`, "content-type": "application/json" }
    const init = { method: "POST", headers, body: JSON.stringify(body) }
    return (await fetch(serving.root + path, init)).json() as never
  }

  beforeAll(async () => {
    serving = await installation.serve()
    const account = await installation.run("account", "create", "ada@example.com")
    env = {
      PATH: process.env.PATH ?? "",
      TRAWL: serving.root,
      KEY: account.stdout.trim().split(/\s+/).at(-1)!,
    }
    const run = await post("/api/v1/scrapers/pypi-package-scraper/runs?waitForFinish=60", {
      packages: ["flask"],
    })
    const batch = await post("/api/v1/batches", {
      scraper: "pypi-package-scraper",
      inputs: [{ packages: ["flask"] }],
    })
    env = { ...env, DATASET: run.datasetId!, BATCH: batch.id! }
    await Bun.write(
      join(installation.folder, "shops.csv"),
      "name,website\nShop,https://example.com\n",
    )
  }, 120_000)
  afterAll(async () => {
    await serving.end()
    await installation.remove()
  }, 120_000)

  for (const { document, text, response } of calls) {
    const title = text.split("\n")[0]!.slice(0, 100)
    test(`${document}: ${title}`, async () => {
      const script = text
        .replaceAll("http://127.0.0.1:8080", "$TRAWL")
        .replaceAll(/'(\$TRAWL[^']*)'/g, '"$1"')
        .replaceAll(/^curl /gm, "curl -sS --globoff --fail-with-body ")
        .replaceAll(/^trawl .*$/gm, "")
      const child = Bun.spawn(["sh", "-ec", script], {
        cwd: installation.folder,
        env,
        stdout: "pipe",
        stderr: "pipe",
      })
      const [stdout, stderr, code] = await Promise.all([
        new Response(child.stdout).text(),
        new Response(child.stderr).text(),
        child.exited,
      ])
      expect({ code, stderr, ...(code !== 0 && { stdout }) }).toEqual({ code: 0, stderr: "" })
      if (response !== undefined) expectShown(response, JSON.parse(stdout), "response")
    }, 120_000)
  }

  const programs = blocks.filter(
    ({ language, text }) =>
      language === "js" ||
      (language === "ts" && text.includes('"trawl-client"')) ||
      language === "python",
  )
  const missing = missingModules(programs.filter(({ language }) => language === "python"))
  for (const [at, block] of programs.entries()) {
    const { document, language, text } = block
    const isMissing =
      language === "python"
        ? importsOf(block).some((name) => missing.has(name))
        : packagesOf(block).some((name) => !isInstalled(name))
    test.skipIf(isMissing)(
      `${document}: example ${at + 1} in ${language} prints a result`,
      async () => {
        const source = text
          .replaceAll("http://127.0.0.1:8080", serving.root)
          .replace('"trawl-client"', JSON.stringify(join(root, "packages/client/src/index.ts")))
        const path = join(
          installation.folder,
          `example-${at}.${language === "python" ? "py" : "ts"}`,
        )
        await Bun.write(path, source)
        const program = language === "python" ? ["python3", "-B"] : [process.execPath]
        const child = Bun.spawn([...program, path], {
          cwd: installation.folder,
          env: {
            ...env,
            ...{ TRAWL_API_KEY: env.KEY!, PYTHONPATH: pythonPath },
            NODE_PATH: join(root, "node_modules"),
          },
          stdout: "pipe",
          stderr: "pipe",
        })
        const [stdout, stderr, code] = await Promise.all([
          new Response(child.stdout).text(),
          new Response(child.stderr).text(),
          child.exited,
        ])
        expect({ code, stderr }).toEqual({ code: 0, stderr: "" })
        expect(stdout).toMatch(/# Example Domain|3\.1\.2|succeeded/)
      },
      120_000,
    )
  }

  test("the n8n workflow of the guide gets a page", async () => {
    const workflow = blocks.find(({ text }) => text.includes('"n8n-nodes-base.httpRequest"'))!
    const [{ parameters }] = JSON.parse(workflow.text).nodes
    const url = new URL(parameters.url.replace("http://127.0.0.1:8080", serving.root))
    for (const { name, value } of parameters.queryParameters.parameters) {
      url.searchParams.append(name, value)
    }
    const response = await fetch(url, { method: parameters.method })
    expect(await response.json()).toMatchObject({ items: [{ title: "Example Domain" }] })
  })

  test("README and quick start show responses", () => {
    const answered = calls.filter(({ response }) => response !== undefined)
    expect(answered.map(({ document }) => document)).toContain("README.md")
    expect(answered.length).toBeGreaterThan(5)
  })

  test("each route that the guide names exists", async () => {
    const { paths } = (await (await fetch(`${serving.root}/openapi.json`)).json()) as {
      paths: Record<string, Record<string, unknown>>
    }
    const routes = Object.entries(paths).flatMap(([path, methods]) =>
      Object.keys(methods).map(
        (method) => `${method.toUpperCase()} ${path.replaceAll(/\{\w+\}/g, "*")}`,
      ),
    )
    const unknown = documents.flatMap((document) =>
      [
        ...readFileSync(join(root, document), "utf8").matchAll(
          /`(GET|POST|PATCH|PUT|DELETE)\s+(\/api\/(?:v1|admin)[^\s?`]*)[?`]/g,
        ),
      ]
        .map(([, method, path]) => `${method} ${path!.replaceAll(/\{\w+\}|<\w+>/g, "*")}`)
        .filter((route) => !routes.includes(route))
        .map((route) => `${document}: ${route}`),
    )
    expect(unknown).toEqual([])
  })
})

test("each trawl command of README and guide has these options", async () => {
  const commands = new Map(
    reportedCommands(await programOf()).map(({ path, options }) => [
      path,
      new Set(options.flatMap(({ names }) => names)),
    ]),
  )
  const wrong: string[] = []
  const lines = shell.flatMap(({ document, text }) =>
    text
      .replaceAll("\\\n", " ")
      .split("\n")
      .map((line) => ({ document, line: line.replace(/\s+#.*$/, "") })),
  )
  for (const { document, line } of lines) {
    const words = /(?:^|[;|&]|\bbun run )\s*(?:[A-Z_]+=\S+ )*trawl (.*)$/
      .exec(line)?.[1]
      ?.split(/\s+/)
    if (!words || words[0]!.startsWith("http")) continue
    const path = commands.has(`${words[0]} ${words[1]}`) ? `${words[0]} ${words[1]}` : words[0]!
    const options = commands.get(path)
    const named = words.filter((word) => /^--?[a-z]/.test(word)).map((word) => word.split("=")[0]!)
    if (!options || named.some((name) => !options.has(name))) wrong.push(`${document}: ${line}`)
  }
  expect(wrong).toEqual([])
})

test("scripts that the documents name exist", async () => {
  const { scripts } = await Bun.file(join(root, "package.json")).json()
  const files = [...documents, "CONTRIBUTING.md", "docs/internals/architecture.md"]
  const missing = files.flatMap((document) => {
    const source = readFileSync(join(root, document), "utf8")
    const names = [...source.matchAll(/\bbun(?:@[\d.]+)? run ([a-z][\w-]*)/g)]
      .map(([, name]) => name!)
      .filter((name) => !Object.hasOwn(scripts, name))
    const paths = [...source.matchAll(/\bbun ((?:scripts|bench)\/[\w/-]+\.ts)/g)]
      .map(([, path]) => path!)
      .filter((path) => !existsSync(join(root, path)))
    return [...names, ...paths].map((name) => `${document}: ${name}`)
  })
  expect(missing).toEqual([])
})

test("blocks of JSON are JSON", () => {
  const broken = blocks.filter(({ language, text }) => {
    if (language !== "json") return false
    try {
      JSON.parse(text)
      return false
    } catch {
      return true
    }
  })
  expect(broken.map(({ document, text }) => `${document}: ${text.slice(0, 60)}`)).toEqual([])
})

test("links between the documents point to existing files and headings", () => {
  const anchors = (path: string) =>
    new Set(
      [
        ...Bun.markdown
          .html(readFileSync(path, "utf8"), { headings: { ids: true } })
          .matchAll(/ id="([^"]+)"/g),
      ].map(([, id]) => id!),
    )
  const files = [
    ...documents,
    "CONTRIBUTING.md",
    "SECURITY.md",
    ...new Bun.Glob("docs/internals/**/*.md").scanSync(root),
  ]
  const dead = files.flatMap((document) =>
    [...readFileSync(join(root, document), "utf8").matchAll(/\]\(([^)\s]+)\)/g)]
      .map(([, target]) => target!)
      .filter((target) => {
        const [file, anchor] = target.split("#")
        if (/^https?:|^\/|^\.\.\/\.\.\/releases$/.test(target)) return false
        const path = file === "" ? join(root, document) : join(root, dirname(document), file!)
        if (!existsSync(path)) return true
        return anchor !== undefined && path.endsWith(".md") && !anchors(path).has(anchor)
      })
      .map((target) => `${document}: ${target}`),
  )
  expect(dead).toEqual([])
})
