import { mkdtempSync, readdirSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"

/**
 * Returns the text that another program reads from a document, by page if it has pages; null if it
 * fails.
 */
export interface Opinion {
  name: string
  read(path: string): Promise<string[] | null>
}

const limitMs = 60_000

async function output(...command: string[]): Promise<string | null> {
  const child = Bun.spawn(command, { stdout: "pipe", stderr: "ignore", timeout: limitMs })
  const text = await new Response(child.stdout).text()
  return (await child.exited) === 0 ? text : null
}

const pdftotext = (name: string, ...options: string[]): Opinion => ({
  name,
  async read(path) {
    const text = await output("pdftotext", "-q", "-enc", "UTF-8", ...options, path, "-")
    return text?.replace(/\f$/, "").split("\f") ?? null
  },
})

const pandoc: Opinion = {
  name: "pandoc",
  async read(path) {
    const text = await output("pandoc", "--to=plain", "--wrap=none", path)
    return text === null ? null : [text]
  },
}

/** @param filter An export filter of LibreOffice that writes text. */
const libreoffice = (filter: string): Opinion => ({
  name: "libreoffice",
  async read(path) {
    const folder = mkdtempSync(join(tmpdir(), "trawl-opinion-"))
    const profile = `-env:UserInstallation=file://${join(tmpdir(), "trawl-opinion-profile")}`
    try {
      await output(
        "soffice",
        profile,
        "--headless",
        "--convert-to",
        filter,
        "--outdir",
        folder,
        path,
      )
      const files = readdirSync(folder).sort()
      if (files.length === 0) return null
      const texts = await Promise.all(files.map((file) => Bun.file(join(folder, file)).text()))
      const plain = filter.startsWith("html") ? texts.map(withoutTags) : texts
      return [plain.join("\n")]
    } finally {
      rmSync(folder, { recursive: true, force: true })
    }
  },
})

function withoutTags(html: string): string {
  const rewriter = new HTMLRewriter().on("head, script, style", {
    element: (element) => void element.remove(),
  })
  return Bun.stripANSI(decoded(rewriter.transform(html).replace(/<[^>]*>/g, " ")))
}

const decoded = (text: string) =>
  text
    .replace(/&nbsp;/g, " ")
    .replace(/&lt;/g, "<")
    .replace(/&gt;/g, ">")
    .replace(/&quot;/g, '"')
    .replace(/&amp;/g, "&")

/** Returns all sheets, including hidden ones. */
const gnumeric: Opinion = {
  name: "gnumeric",
  async read(path) {
    const folder = mkdtempSync(join(tmpdir(), "trawl-opinion-"))
    try {
      const to = ["--export-type=Gnumeric_stf:stf_assistant", "-O", "separator=, format=automatic"]
      await output("ssconvert", "-S", ...to, path, join(folder, "%n.csv"))
      const files = readdirSync(folder).sort()
      const texts = await Promise.all(files.map((file) => Bun.file(join(folder, file)).text()))
      return texts.length === 0 ? null : [texts.join("\n")]
    } finally {
      rmSync(folder, { recursive: true, force: true })
    }
  },
}

const text = libreoffice("txt:Text (encoded):UTF8")
/** Writes each sheet to a separate file. */
const sheets = libreoffice(
  'csv:"Text - txt - csv (StarCalc)":44,34,76,1,,0,false,true,false,false,false,-1',
)
const slides = libreoffice("html:impress_html_Export")

export const opinions: Record<string, Opinion[]> = {
  pdf: [pdftotext("pdftotext"), pdftotext("pdftotext -layout", "-layout")],
  docx: [pandoc, text],
  odt: [pandoc, text],
  rtf: [pandoc, text],
  epub: [pandoc],
  ipynb: [pandoc],
  pptx: [slides],
  odp: [slides],
  xlsx: [gnumeric, sheets],
  ods: [gnumeric, sheets],
}
