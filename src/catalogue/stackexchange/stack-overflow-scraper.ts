import { Type } from "@sinclair/typebox"
import { unseen } from "../../extract/core/index.ts"
import {
  BadInput,
  type Context,
  defineScraper,
  field,
  inputs,
  items,
  orNull,
  readRows,
  record,
  required,
  ScrapeError,
} from "../kit/index.ts"
import {
  answerPages,
  authorName,
  bestFirst,
  bodyMarkdown,
  laterTimes,
  linkOr,
  type Post,
  questionPage,
  stackExchange,
  stackExchangeRateLimit,
  unescaped,
} from "./stackexchange.ts"

const site = "stackoverflow"

const answerRecord = record({
  answerId: required(field.integer("answer_id", "ID of the answer.")),
  score: field.integer("score", "Upvotes minus downvotes."),
  isAccepted: field.flag("is_accepted", "Whether the author of the question accepted the answer."),
  author: authorName("Author of the answer."),
  authorReputation: field.integer("owner.reputation", "Reputation of the author."),
  authorUrl: field.text("owner.link", "URL of the author's page."),
  bodyMarkdown: bodyMarkdown("Answer, as Markdown."),
  createdAt: field.unixTime("creation_date", "Time of the answer (ISO 8601, UTC)."),
  lastActivityAt: laterTimes.lastActivityAt,
  url: required(
    field.text(
      ({ link, answer_id }: Post) => linkOr(link, `https://stackoverflow.com/a/${answer_id}`),
      "URL of the answer.",
    ),
  ),
  commentsCount: field.integer("comment_count", "Number of comments."),
})

const questionRecord = record({
  questionId: required(field.integer("question_id", "ID of the question.")),
  title: field.text("title", "Title of the question.", unescaped),
  url: required(
    field.text(
      ({ link, question_id }: Post) =>
        linkOr(link, `https://stackoverflow.com/questions/${question_id}`),
      "URL of the question's page.",
    ),
  ),
  score: field.integer("score", "Upvotes minus downvotes."),
  viewsCount: field.integer("view_count", "Number of views."),
  answerCount: field.integer("answer_count", "Number of answers."),
  commentsCount: field.integer("comment_count", "Number of comments."),
  bookmarksCount: field.integer("favorite_count", "Number of bookmarks."),
  isAnswered: field.boolean(
    "is_answered",
    "Whether the question has an accepted or upvoted answer.",
  ),
  acceptedAnswerId: field.integer("accepted_answer_id", "ID of the accepted answer."),
  tags: field.texts("tags", "Tags of the question."),
  author: authorName("Author of the question."),
  authorId: field.integer("owner.user_id", "User ID of the author."),
  authorReputation: field.integer("owner.reputation", "Reputation of the author."),
  authorUrl: field.text("owner.link", "URL of the author's page."),
  authorAvatarUrl: field.text("owner.profile_image", "URL of the author's image."),
  bodyMarkdown: bodyMarkdown("Question, as Markdown."),
  bodyHtml: field.text("body", "Question, as HTML."),
  createdAt: field.unixTime("creation_date", "Time of the question (ISO 8601, UTC)."),
  ...laterTimes,
  closedAt: field.unixTime(
    "closed_date",
    "Time of closing (ISO 8601, UTC); null if the question is open.",
  ),
  closedReason: field.text("closed_reason", "Reason of the closing; null if the question is open."),
  bountyAmount: field.integer(
    "bounty_amount",
    "Bounty offered for an answer, in reputation points.",
  ),
  license: field.text("content_license", "Licence of the text, for example CC BY-SA 4.0."),
})

export default defineScraper({
  slug: "stack-overflow-scraper",
  name: "Stack Overflow",
  tagline:
    "Questions of Stack Overflow by tag, with scores, views, bodies and (optionally) answers.",
  notServed: ["one question's answers"],
  category: "developer",
  input: {
    tags: inputs.texts("Tags that a question must all have, for example python.", { max: 5 }),
    sort: inputs.choice(
      ["activity", "votes", "creation", "hot", "week", "month"],
      "Sort order of the questions.",
      "activity",
    ),
    limit: inputs.count("Maximum questions", { max: 1000, or: 50 }),
    includeAnswers: inputs.flag("Whether to add the answers of each question."),
    answersPerQuestion: inputs.count(
      "Maximum answers per question, the accepted one first, then by score",
      { max: 30, or: 5 },
    ),
  },
  item: {
    ...questionRecord.fields,
    answers: Type.Optional(
      items.objects("Answers of the question; only with `includeAnswers`.", answerRecord.fields),
    ),
  },
  example: { tags: ["typescript"], sort: "votes", limit: 10 },
  probe: {
    input: { tags: ["typescript"], sort: "votes", limit: 3 },
    expect: [
      "items.length equals 3",
      "items[*].score gte 1000",
      "items[*].title share 0.9",
      'items[*].tags contains "typescript"',
      "?items[*].bodyMarkdown share 1",
      "items[*].isAnswered equals true",
    ],
  },
  rateLimit: stackExchangeRateLimit,
  targets: (input) => [{ input: input.tags.join(";"), tags: input.tags }],
  maxItems: (input) => input.limit,

  async *scrape(target, ctx) {
    const { sort, limit, includeAnswers, answersPerQuestion } = ctx.input
    const tags = target.tags.map(tagName)
    const pagesize = Math.min(100, limit)
    const seen = new Set<string>()
    const query = { site, order: "desc", sort, tagged: tags.join(";"), pagesize }
    const read = (question: Post) => {
      const answers = bestFirst(question.answers).slice(0, answersPerQuestion)
      return {
        ...questionRecord.read(question),
        ...(includeAnswers && { answers: answers.map((answer) => answerRecord.read(answer)) }),
      }
    }
    let provided = 0
    for (let page = 1; provided < limit; page++) {
      const { items, more } = await questionPage("questions", { ...query, page }, ctx)
      // Questions move between pages while the scraper reads them.
      const fresh = unseen(items, seen, (question) => String(question.question_id))
      const stored = fresh.slice(0, limit - provided)
      if (includeAnswers) await addAnswers(stored, ctx)
      yield* readRows(stored, read, ctx)
      provided += stored.length
      if (!more || fresh.length === 0) break
    }
    if (seen.size === 0) await requireTags(tags, ctx)
  },
})

function tagName(written: string): string {
  const tag = written.trim().toLowerCase().replace(/\s+/g, "-")
  if (!/^[a-z0-9#+.-]+$/.test(tag))
    throw new BadInput(`"${written}" is not a valid tag. Write a tag such as "c#" or "node.js".`)
  return tag
}

/** Requests the answers separately if the full filter did not include them. */
async function addAnswers(questions: Post[], ctx: Context): Promise<void> {
  const lacking = questions.filter(
    (question) => !question.answers && (question.answer_count ?? 0) > 0,
  )
  if (lacking.length === 0) return
  const byId = new Map(lacking.map((question) => [question.question_id, question]))
  await orNull(ctx, "answers", async () => {
    for await (const page of answerPages([...byId.keys()], site, ctx)) {
      for (const response of page) {
        const question = byId.get(response.question_id)
        if (question) question.answers = [...(question.answers ?? []), response]
      }
    }
  })
}

/** An empty result is valid only if the tags exist. */
async function requireTags(tags: string[], ctx: Context): Promise<void> {
  try {
    const method = `tags/${tags.map(encodeURIComponent).join(";")}/info`
    const { items } = await stackExchange<{ name: string }>(method, { site }, ctx)
    const unknown = tags.filter((tag) => !items.some((item) => item.name === tag))
    if (unknown.length > 0)
      throw new BadInput(`No such tag on Stack Overflow: ${unknown.join(", ")}.`)
  } catch (error) {
    ctx.signal.throwIfAborted()
    if (error instanceof BadInput || !(error instanceof ScrapeError)) throw error
    ctx.log(`Could not check whether the tags exist: ${error.message}`, "warning")
  }
}
