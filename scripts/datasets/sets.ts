import { createHash } from "node:crypto"
import { existsSync, readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { gzipSync } from "node:zlib"
import type { Source } from "./git.ts"

/** One page of a set: its gzipped HTML, and the entry of truth.json. */
export interface Page {
  id: string
  gzipped: Uint8Array
  truth: { url: string; [attribute: string]: unknown }
}

/** A public benchmark, and how its repository becomes a folder that `test/quality` reads. */
export interface Dataset extends Source {
  license: string
  /** Files and folders of the repository that are needed. */
  paths: readonly string[]
  pages(checkout: string): Iterable<Page>
}

const readJson = (path: string) => JSON.parse(readFileSync(path, "utf8"))

/** Pages of a repository with one JSON object (ID → truth) and a folder of `<id>.html.gz`. */
function* listed(truthPath: string, htmlFolder: string): Iterable<Page> {
  const truths = readJson(truthPath) as Record<string, Page["truth"]>
  for (const [id, truth] of Object.entries(truths))
    yield { id, truth, gzipped: readFileSync(join(htmlFolder, `${id}.html.gz`)) }
}

/** One file of ground truth of the web content extraction benchmark. */
interface ContentTruth {
  url: string
  _internal: { page_type: { primary: string } }
  ground_truth: {
    title?: string | null
    author?: string | null
    publish_date?: string | null
    main_content: string
    with: string[]
    without: string[]
  }
}

function* typedPages(dev: string): Iterable<Page> {
  for (const name of readdirSync(join(dev, "ground-truth")).sort()) {
    if (!name.endsWith(".json")) continue
    const id = name.slice(0, -".json".length)
    const { url, _internal, ground_truth } = readJson(
      join(dev, "ground-truth", name),
    ) as ContentTruth
    const { title, author, publish_date: date, main_content: content } = ground_truth
    const known = Object.entries({ title, author, date }).filter(([, value]) => value)
    yield {
      id,
      gzipped: readFileSync(join(dev, "html", `${id}.html.gz`)),
      truth: {
        ...{ url, type: _internal.page_type.primary, content },
        ...{ with: ground_truth.with, without: ground_truth.without },
        ...Object.fromEntries(known),
      },
    }
  }
}

/** Pages with passages that belong to the content and passages that do not, by URL. */
function* passages(tests: string): Iterable<Page> {
  const truths = readJson(join(tests, "evaldata.json")) as Record<string, { file: string }>
  for (const [url, { file, ...truth }] of Object.entries(truths)) {
    const path = ["eval", "cache"].map((folder) => join(tests, folder, file)).find(existsSync)
    if (!path) throw new Error(`${file} is in neither tests/eval nor tests/cache.`)
    yield {
      id: createHash("sha1").update(url).digest("hex").slice(0, 16),
      gzipped: gzipSync(readFileSync(path)),
      truth: { url, ...truth },
    }
  }
}

/** The public sets that the models are trained from and measured with, by the name of their folder. */
export const datasets: Record<"articles" | "segments" | "pages" | "products", Dataset> = {
  articles: {
    repository: "https://github.com/scrapinghub/article-extraction-benchmark",
    commit: "11b407d43934becc20873bb3dcd5e3d2591746d3",
    license: "MIT",
    paths: ["ground-truth.json", "html"],
    pages: (checkout) => listed(join(checkout, "ground-truth.json"), join(checkout, "html")),
  },
  segments: {
    repository: "https://github.com/adbar/trafilatura",
    commit: "623b0ef8ea2b351b1363e46d6adbe76329bc9b11",
    license: "Apache-2.0",
    paths: ["tests/evaldata.json", "tests/eval", "tests/cache"],
    pages: (checkout) => passages(join(checkout, "tests")),
  },
  pages: {
    repository: "https://github.com/Murrough-Foley/web-content-extraction-benchmark",
    commit: "62ff86d12ea72c80c31fb810ff1a724fad687bea",
    license: "CC-BY-4.0",
    paths: ["dev"],
    pages: (checkout) => typedPages(join(checkout, "dev")),
  },
  products: {
    repository: "https://github.com/scrapinghub/product-extraction-benchmark",
    commit: "4f1f1cb711eee3d2bc3b7c767c8c560534843286",
    license: "MIT",
    paths: ["dataset"],
    pages: (checkout) =>
      listed(join(checkout, "dataset/ground-truth.json"), join(checkout, "dataset/html")),
  },
}
