import type { Context, PageOptions, ScrapeError } from "../../../src/catalogue/kit/index.ts"
import { type Answered, page } from "../net/http/challenge-pages.ts"
import type { Upstream } from "./world.ts"

export const site = "https://site.test"
export const good: Answered = { html: page("Things", '<ul id="things"><li>One</li></ul>') }
export const wanted = { has: "#things", what: "the things" }
export const minuteMs = 60_000

/** Reads pages 1 to `last` as separate requests. */
export const pages = (last: number, options: PageOptions = wanted) =>
  async function* (_target: string, ctx: Context) {
    for (let number = 1; number <= last; number++) {
      const response = await ctx.page(`${site}/${number}`, options)
      yield { via: response.via }
    }
  }

/** A host of good pages, some of which return something else to one fetch method. */
export const hostOf =
  (instead: Record<string, Answered | ScrapeError>): Upstream =>
  (url, via) =>
    instead[`${via} ${url.pathname}`] ?? instead[via] ?? good
