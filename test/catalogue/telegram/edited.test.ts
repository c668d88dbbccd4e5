import { expect, test } from "bun:test"
import { messageOf, messagesOf } from "../../../src/catalogue/telegram/post.ts"
import { parseDocument } from "../../../src/extract/core/index.ts"

const author = '<span class="tgme_widget_message_from_author" dir="auto">Edith Stone</span>'

test.each([
  ["", false],
  ["edited &nbsp;", true],
  // Other languages, and posts with a signature.
  ["bearbeitet &nbsp;", true],
  [`${author},&nbsp;`, false],
  [`${author},&nbsp;edited &nbsp;`, true],
])("a post with %j before its time", (before, isEdited) => {
  const page = parseDocument(
    `<div class="tgme_widget_message" data-post="tides/1"><div class="tgme_widget_message_text">Tide</div><span class="tgme_widget_message_meta">${before}<a class="tgme_widget_message_date" href="https://t.me/tides/1"><time datetime="2026-09-01T08:00:00+00:00">08:00</time></a></span></div>`,
  )
  expect(messageOf(messagesOf(page)[0]!)).toMatchObject({ isEdited })
})
