import { Type } from "@sinclair/typebox"
import { completeAddress } from "../../../extract/links/index.ts"
import type { Answer, Context, DataOptions, PageOptions, RenderedAnswer } from "../context.ts"
import { integerField, textField } from "../fields.ts"
import { BadInput, Changed, type Outcome, TooManyRedirects, Unreachable } from "../outcome.ts"
import { leadsTo } from "./stubs.ts"

/** The input that most page scrapers share. */
export const pageAddresses = (maxItems: number, what = "Page URLs") =>
  Type.Array(Type.String({ minLength: 1 }), {
    minItems: 1,
    maxItems,
    description: `${what}; https:// is assumed.`,
  })

/** How the items of a page scraper name their page. */
export const pageFields = {
  url: Type.String({ description: "The address as given, completed by a scheme." }),
  finalUrl: textField("The address after redirects."),
  statusCode: integerField("Status of the answer."),
}

export const pageTypeField = textField(
  "What readers come for: article, documentation, service, forum, collection, listing or product; a guess, and null for a page of a few words.",
)

export const identifyPage = (written: string) => ({
  input: written,
  url: completeAddress(written) ?? written,
})

/** @throws BadInput when the text is no http(s) address. */
export function pageAddress(written: string): string {
  const address = completeAddress(written)
  if (address === null) throw new BadInput(`"${written}" is not an http or https address.`)
  return address
}

export interface OpenedPage<A extends Answer = Answer> {
  /** As given, completed by a scheme. */
  url: string
  answer: A
}

/** Pages that only lead on to the next, before they count as a circle. */
const mostStubs = 5

/**
 * A page that the caller named, or the one that it only stands for by a refresh. One written without
 * scheme is tried by http when https fails.
 */
export async function openPage(
  written: string,
  ctx: Context,
  options: PageOptions = {},
): Promise<OpenedPage<RenderedAnswer>> {
  const { has } = options
  const asked =
    typeof has === "function"
      ? { ...options, has: (answer: RenderedAnswer) => has(answer) || leadsTo(answer) !== null }
      : options
  const opened = await open(written, ctx, (url) => ctx.page(url, asked))
  let { answer } = opened
  for (let stubs = 0; ; stubs++) {
    const next = leadsTo(answer)
    if (next === null) return { ...opened, answer }
    const { url } = opened
    if (stubs === mostStubs) {
      throw new TooManyRedirects(`More than ${mostStubs} pages that only lead on, from ${url}.`, {
        url,
        statusCode: answer.status,
      })
    }
    answer = await ctx.page(next, asked)
  }
}

/** Like openPage, for answers of any kind; those that are to have something are judged by it. */
export async function openAddress(
  written: string,
  ctx: Context,
  options: DataOptions = {},
): Promise<OpenedPage> {
  return open(written, ctx, (url) =>
    options.has === undefined ? ctx.get(url, options) : ctx.data(url, options),
  )
}

async function open<A extends Answer>(
  written: string,
  ctx: Context,
  ask: (url: string) => Promise<A>,
): Promise<OpenedPage<A>> {
  const url = pageAddress(written)
  try {
    return { url, answer: await ask(url) }
  } catch (error) {
    ctx.signal.throwIfAborted()
    const hasScheme = /^\s*https?:\/\//i.test(written)
    if (hasScheme || !(error instanceof Unreachable) || error.code === "dns") throw error
    const plain = url.replace(/^https:/i, "http:")
    return { url: plain, answer: await ask(plain) }
  }
}

/** For scrapers where a page without their data is a result: lets a whole one pass. @throws Changed */
export function requireWhole(answer: Answer): void {
  const failure = partOf(answer)
  if (failure) throw failure
}

/** Why an answer is no page: a bot wall, one that only a script would fill, or the first part of one. */
export function pageFailure(answer: Answer, what: string): Outcome | null {
  const outcome = answer.lacks(what)
  return outcome instanceof Changed ? partOf(answer) : outcome
}

function partOf(answer: Answer): Changed | null {
  const details = { url: answer.url, statusCode: answer.status }
  if (answer.text().trim() === "") return new Changed("The answer is empty.", details)
  return breaksOff(answer.text())
    ? new Changed("The page breaks off before its end.", details)
    : null
}

/** `</body>` may be left out; but then a page ends in a tag, and its `div`s are closed. */
function breaksOff(html: string): boolean {
  if (!/<(?:html|body)\b/i.test(html) || /<\/(?:html|body)\s*>/i.test(html)) return false
  if (!html.trimEnd().endsWith(">")) return true
  const opened = html.match(/<div\b/gi)?.length ?? 0
  const closed = html.match(/<\/div\b/gi)?.length ?? 0
  return opened - closed > 2
}
