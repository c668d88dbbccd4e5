import { describe, expect, test } from "bun:test"
import { readBlocks } from "../../../src/extract/article/reading/blocks.ts"
import { readFacts } from "../../../src/extract/article/reading/page-facts.ts"
import { sureType } from "../../../src/extract/article/reading/sure-type.ts"
import { parseDocument } from "../../../src/extract/core/index.ts"

function typeOf(html: string) {
  const document = parseDocument(html)
  return sureType(readBlocks(document.body), readFacts(document, "https://site.example/page"))
}

const ld = (type: string) => `<script type="application/ld+json">{"@type": "${type}"}</script>`
const og = '<meta property="og:type" content="product">'
const twice = (post: string) => `${post}<p>One</p></div>${post}<p>Two</p></div>`

describe("the type of an unambiguous page", () => {
  test.each([
    ["posts of phpBB", twice('<div class="post"><div class="postbody">'), "forum"],
    ["posts of vBulletin", twice('<div id="post_message_17">'), "forum"],
    ["posts of XenForo", twice('<div class="message message--post js-post">'), "forum"],
    ["posts of Flarum", twice('<div class="PostStream-item">'), "forum"],
    ["Flarum's posts for who has no scripts", '<div id="flarum-content"><p>One</p></div>', "forum"],
    ["answers of Stack Exchange", twice('<div itemprop="suggestedAnswer">'), "forum"],
    ["a thread by its data", `<head>${ld("DiscussionForumPosting")}</head><p>One</p>`, "forum"],
    ["a product by its data and its meta tags", `<head>${og}${ld("Product")}</head><p>One</p>`, "product"],
    ["a product of WooCommerce", '<body class="theme single single-product"><p>One</p>', "product"],
    ["a single post, as on an author's page", '<div class="postbody"><p>One</p></div>', null],
    ["a product that an article is about", `<head>${ld("Product")}</head><p>One</p>`, null],
    ["any page", "<h1>One</h1><p>Two</p>", null],
  ])("%s", (_, html, type) => expect(typeOf(html)).toBe(type as never)) // biome-ignore format: a table reads better dense
})
