import { Type } from "@sinclair/typebox"
import { type AnyElysia, Elysia } from "elysia"
import compatibility from "../../../docs/compatibility.md" with { type: "text" }
import actors from "../../../docs/guide/actors.md" with { type: "text" }
import backup from "../../../docs/guide/backup.md" with { type: "text" }
import extraction from "../../../docs/guide/extraction.md" with { type: "text" }
import files from "../../../docs/guide/files.md" with { type: "text" }
import index from "../../../docs/guide/index.md" with { type: "text" }
import install from "../../../docs/guide/install.md" with { type: "text" }
import items from "../../../docs/guide/items.md" with { type: "text" }
import lists from "../../../docs/guide/lists.md" with { type: "text" }
import notifications from "../../../docs/guide/notifications.md" with { type: "text" }
import proxy from "../../../docs/guide/proxy.md" with { type: "text" }
import recipes from "../../../docs/guide/recipes.md" with { type: "text" }
import recordings from "../../../docs/guide/recordings.md" with { type: "text" }
import scaling from "../../../docs/guide/scaling.md" with { type: "text" }
import scraper from "../../../docs/guide/scraper.md" with { type: "text" }
import secrets from "../../../docs/guide/secrets.md" with { type: "text" }
import security from "../../../docs/guide/security.md" with { type: "text" }
import spreadsheet from "../../../docs/guide/spreadsheet.md" with { type: "text" }
import upgrade from "../../../docs/guide/upgrade.md" with { type: "text" }
import mcp from "../../../docs/mcp.md" with { type: "text" }
import { gives, takes } from "../http/contract.ts"
import { ApiError } from "../http/errors.ts"
import { operation } from "../http/operation.ts"
import { htmlPage, pageHeaders } from "../http/page.ts"
import type { Service } from "../service.ts"

/** The files of docs/guide, which are read in the repository as well. */
export const guidePages: Readonly<Record<string, string>> = {
  index,
  spreadsheet,
  install,
  proxy,
  lists,
  items,
  files,
  backup,
  upgrade,
  secrets,
  notifications,
  scaling,
  extraction,
  recipes,
  recordings,
  actors,
  security,
  scraper,
}

/** Pages of the guide whose files are in docs itself. */
const referencePages: Readonly<Record<string, string>> = { compatibility, mcp }
const allPages = { ...guidePages, ...referencePages }

/** The guide for those who run Trawl, without a network. */
export function guideRoutes({ base }: Service): AnyElysia {
  const made = new Map<string, string>()
  const reply = (name: string) => {
    if (!Object.hasOwn(allPages, name)) throw new ApiError(404, "The guide has no such page.")
    const html = made.get(name) ?? guideHtml(name, base)
    made.set(name, html)
    return new Response(html, { headers: pageHeaders })
  }
  return new Elysia()
    .get("/docs/guide", () => reply("index"), {
      response: { 200: gives(Type.String()) },
      detail: operation({
        id: "guide",
        tag: "Service",
        summary: "The guide, for those who run Trawl",
        auth: "none",
        replies: { 200: { description: "The first page.", types: ["text/html"] } },
      }),
    })
    .get("/docs/guide/:page", ({ params }) => reply(params.page), {
      params: takes.params({ page: Type.String({ description: "As `backup`." }) }),
      response: { 200: gives(Type.String()) },
      detail: operation({
        id: "guidePage",
        tag: "Service",
        summary: "A page of the guide",
        auth: "none",
        replies: { 200: { description: "The page.", types: ["text/html"] } },
        refusals: [404],
      }),
    })
}

/** A page as it is served under a path. */
function guideHtml(name: string, base: string): string {
  const text = allPages[name]!
  const title = /^# (.+)$/m.exec(text)?.[1] ?? "Guide"
  const back = name === "index" ? "" : `<p><a href="${base}/docs/guide">Guide</a></p>\n`
  const html = Bun.markdown.html(text, { headings: { ids: true } })
  return htmlPage({ title: `${title} · Trawl`, base }, back + withOwnLinks(html, base))
}

/** Links between the files become links between the pages. */
function withOwnLinks(html: string, base: string): string {
  return html.replace(
    /href="(?:(?:\.\.\/|guide\/)?(\w+)\.md)?(\/?[^":]*)"/g,
    (_, page: string | undefined, rest: string) => {
      if (page === undefined) return `href="${rest.startsWith("/") ? base : ""}${rest}"`
      return `href="${base}/docs/guide${page === "index" ? "" : `/${page}`}${rest}"`
    },
  )
}
