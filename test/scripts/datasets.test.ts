import { afterAll, describe, expect, test } from "bun:test"
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { gunzipSync, gzipSync } from "node:zlib"
import { fetchDataset } from "../../scripts/datasets/fetch.ts"
import { type Dataset, datasets } from "../../scripts/datasets/sets.ts"

const folder = mkdtempSync(join(tmpdir(), "trawl-datasets-test-"))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** Creates a Git repository of files, and returns its path and commit. */
function repositoryOf(name: string, files: Record<string, string | Uint8Array>) {
  const repository = join(folder, "repositories", name)
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(join(repository, path)), { recursive: true })
    writeFileSync(join(repository, path), content)
  }
  const git = (...words: string[]) => {
    const user = ["-c", "user.name=Test", "-c", "user.email=test@example.com"]
    const { success, stdout, stderr } = Bun.spawnSync(["git", ...user, ...words], {
      cwd: repository,
    })
    if (!success) throw new Error(stderr.toString())
    return stdout.toString().trim()
  }
  git("init", "--quiet")
  git("add", "--all")
  git("commit", "--quiet", "--message", "Add pages")
  const commit = git("rev-parse", "HEAD")
  // The commit is fetched by its hash, not as the head of a branch.
  writeFileSync(join(repository, "later.txt"), "later")
  git("add", "--all")
  git("commit", "--quiet", "--message", "Add more")
  return { repository, commit }
}

const html = (title: string) => `<title>${title}</title>\r\n<p>Grüße</p>`
/** Git would change its line ends on checkout if it read .gitattributes. */
const unix = (title: string) => html(title).replaceAll("\r", "")
const page = (path: string) => gunzipSync(readFileSync(path)).toString()
const truthOf = (into: string, name: string) =>
  JSON.parse(readFileSync(join(into, name, "truth.json"), "utf8"))

const contentTruth = {
  url: "https://example.com/a",
  _internal: { page_type: { primary: "forum" } },
  ground_truth: {
    ...{ title: "A", author: null, publish_date: "2026-01-02", main_content: "Hello" },
    ...{ with: ["Hello"], without: ["Menu"], main_content_markdown: "**Hello**" },
  },
}
const segment = { with: ["x"], without: ["y"], author: "Ann", date: "2020-05-01" }

/** Files of each set's repository, and the expected content of its folder. */
const forms: {
  name: keyof typeof datasets
  files: Record<string, string | Uint8Array>
  truth: Record<string, unknown>
  pages: Record<string, string>
}[] = [
  {
    name: "articles",
    files: {
      "ground-truth.json": `{"a1":{"articleBody":"Hi","url":"https://example.com/"}}`,
      "html/a1.html.gz": gzipSync(html("a1")),
      "README.rst": "not needed",
    },
    truth: { a1: { articleBody: "Hi", url: "https://example.com/" } },
    pages: { a1: html("a1") },
  },
  {
    name: "products",
    files: {
      "dataset/ground-truth.json": `{"p1":{"price":["9.50"],"url":"https://example.com/p"}}`,
      "dataset/html/p1.html.gz": gzipSync(html("p1")),
    },
    truth: { p1: { price: ["9.50"], url: "https://example.com/p" } },
    pages: { p1: html("p1") },
  },
  {
    name: "pages",
    files: {
      "dev/ground-truth/0007.json": JSON.stringify(contentTruth),
      "dev/html/0007.html.gz": gzipSync(html("0007")),
    },
    truth: {
      "0007": {
        ...{ url: "https://example.com/a", type: "forum", content: "Hello" },
        ...{ with: ["Hello"], without: ["Menu"], title: "A", date: "2026-01-02" },
      },
    },
    pages: { "0007": html("0007") },
  },
  {
    name: "segments",
    files: {
      ".gitattributes": "*.html text eol=crlf\n",
      "tests/evaldata.json": JSON.stringify({
        "https://example.com/1": { file: "one.html", ...segment },
        "https://example.com/2": { file: "two.html", with: [], without: [] },
      }),
      "tests/eval/one.html": unix("one"),
      "tests/cache/two.html": unix("two"),
    },
    // The first 16 digits of the SHA-1 of the URL.
    truth: {
      "83407d40a39894ae": { url: "https://example.com/1", ...segment },
      "9134c68f37c03925": { url: "https://example.com/2", with: [], without: [] },
    },
    pages: { "83407d40a39894ae": unix("one"), "9134c68f37c03925": unix("two") },
  },
]

describe("a set is laid out as test/quality reads it", () => {
  for (const { name, files, truth, pages } of forms) {
    test(name, async () => {
      const local: Dataset = { ...datasets[name], ...repositoryOf(name, files) }
      const into = join(folder, "quality")
      expect(await fetchDataset(name, local, into)).toBe(Object.keys(truth).length)
      expect(truthOf(into, name)).toEqual(truth)
      for (const [id, content] of Object.entries(pages))
        expect(page(join(into, name, `${id}.html.gz`))).toBe(content)
      // An existing set is not changed.
      expect(await fetchDataset(name, local, into)).toBeNull()
    })
  }
})

test("a set that is incomplete leaves no folder", async () => {
  const source = repositoryOf("incomplete", {
    "ground-truth.json": `{"a1":{"url":"https://example.com/"}}`,
    "html/other.html.gz": gzipSync(""),
  })
  const into = join(folder, "incomplete")
  await expect(fetchDataset("articles", { ...datasets.articles, ...source }, into)).rejects.toThrow(
    "a1",
  )
  expect(existsSync(join(into, "articles"))).toBe(false)
})

test("every set has a full commit, and no repository is fetched without one", async () => {
  for (const { commit } of Object.values(datasets)) expect(commit).toMatch(/^[0-9a-f]{40}$/)
  const branch: Dataset = { ...datasets.articles, commit: "main" }
  await expect(fetchDataset("articles", branch, join(folder, "branch"))).rejects.toThrow('"main"')
})

describe("bun run datasets --manifest", () => {
  const body = html("case")
  const sha256 = new Bun.CryptoHasher("sha256").update(body).digest("hex")
  const source = repositoryOf("cases", { "fixtures/body.html": body, "fixtures/two.html": "two" })
  const into = join(folder, "corpus")

  function datasetsCommand(manifest: unknown) {
    const path = join(folder, "manifest.json")
    writeFileSync(path, JSON.stringify(manifest))
    const script = join(import.meta.dir, "../../scripts/datasets.ts")
    const words = [process.execPath, script, "--manifest", path, "--into", into]
    const { exitCode, stdout, stderr } = Bun.spawnSync(words)
    return { exitCode, stdout: stdout.toString(), stderr: stderr.toString() }
  }
  const withFile = (file: Record<string, unknown>) => ({
    sources: [{ ...source, files: [{ path: "fixtures/body.html", sha256, ...file }] }],
  })

  test("writes files with the listed checksum, and no others", () => {
    const to = "quotes-scraper/first/body.html"
    expect(datasetsCommand(withFile({ to })).exitCode).toBe(0)
    expect(readFileSync(join(into, to), "utf8")).toBe(body)
    expect(existsSync(join(into, "fixtures"))).toBe(false)
  })

  const refusals: [name: string, manifest: unknown, message: string][] = [
    ["a wrong checksum", withFile({ sha256: "0".repeat(64), to: "no" }), sha256],
    ["a path that leaves the folder", withFile({ to: "../no" }), '"../no"'],
    ["an absolute path", withFile({ to: "/no" }), '"/no"'],
    ["a missing file", withFile({ path: "fixtures/none.html", to: "no" }), "fixtures/none.html"],
    ["a folder", withFile({ path: "fixtures", to: "no" }), "fixtures"],
    ["no checksum", withFile({ sha256: undefined, to: "no" }), "sha256"],
    [
      "an unknown commit",
      { sources: [{ ...withFile({ to: "no" }).sources[0], commit: "0".repeat(40) }] },
      "git fetch failed",
    ],
  ]
  for (const [name, manifest, message] of refusals) {
    test(`refuses ${name}`, () => {
      const { exitCode, stderr } = datasetsCommand(manifest)
      expect(exitCode).toBe(1)
      expect(stderr).toContain(message)
      expect(existsSync(join(into, "no"))).toBe(false)
    })
  }
})
