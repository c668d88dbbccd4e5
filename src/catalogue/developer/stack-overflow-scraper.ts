import { type Static, Type } from "@sinclair/typebox"
import { isoFromUnix } from "../../extract/dates.ts"
import { integerOrNull } from "../../extract/numbers.ts"
import { textOrNull, unseen } from "../../extract/text.ts"
import { orNull } from "../calls.ts"
import type { Context } from "../context.ts"
import { defineScraper } from "../define.ts"
import {
  booleanField,
  inputObject,
  integerField,
  itemObject,
  textField,
  textsField,
} from "../fields.ts"
import { inputs } from "../inputs.ts"
import { BadInput, Outcome } from "../outcome.ts"
import {
  answerPages,
  authorFields,
  bestFirst,
  linkOr,
  type Post,
  postTimes,
  questionPage,
  stackExchange,
  stackExchangePace,
  unescaped,
} from "./stackexchange.ts"

const site = "stackoverflow"

const answerItem = itemObject({
  answerId: Type.Integer(),
  score: integerField("Votes for less votes against."),
  isAccepted: Type.Boolean(),
  author: textField("Who wrote it."),
  authorReputation: integerField("The author's reputation."),
  authorUrl: textField("The author's page."),
  bodyMarkdown: textField("The answer as Markdown."),
  createdAt: textField("ISO 8601, UTC."),
  lastActivityAt: textField("ISO 8601, UTC."),
  url: Type.String(),
  commentCount: integerField("Comments."),
})

const input = inputObject({
  tags: inputs.texts("Tags that a question must have, all of them.", { max: 5 }),
  sort: inputs.choice(
    ["activity", "votes", "creation", "hot", "week", "month"],
    "Order of the questions.",
    "activity",
  ),
  limit: inputs.count("Most questions.", { max: 1000, or: 50 }),
  includeAnswers: inputs.flag("Adds the answers of each question."),
  answersPerQuestion: inputs.count(
    "Most answers of a question, the accepted one first, then by score.",
    { max: 30, or: 5 },
  ),
})
type Input = Static<typeof input>

export default defineScraper({
  slug: "stack-overflow-scraper",
  name: "Stack Overflow",
  tagline:
    "Questions of Stack Overflow by tag, with scores, views, bodies and (optionally) answers.",
  category: "developer",
  tier: "free",
  input,
  item: itemObject({
    questionId: Type.Integer({ description: "Id of the question." }),
    title: textField("Title."),
    url: Type.String({ description: "The question's page." }),
    score: integerField("Votes for less votes against."),
    viewCount: integerField("Views."),
    answerCount: integerField("Answers."),
    commentCount: integerField("Comments."),
    favoriteCount: integerField("Bookmarks."),
    isAnswered: booleanField("Has an accepted or upvoted answer."),
    acceptedAnswerId: integerField("Id of the accepted answer."),
    tags: textsField("Tags."),
    author: textField("Who asked."),
    authorId: integerField("Id of who asked."),
    authorReputation: integerField("Reputation of who asked."),
    authorUrl: textField("Page of who asked."),
    authorImage: textField("Picture of who asked."),
    bodyMarkdown: textField("The question as Markdown."),
    bodyHtml: textField("The question as HTML."),
    createdAt: textField("When it was asked (ISO 8601, UTC)."),
    lastActivityAt: textField("When something last happened (ISO 8601, UTC)."),
    lastEditedAt: textField("When it was last edited (ISO 8601, UTC)."),
    closedAt: textField("When it was closed (ISO 8601, UTC)."),
    closedReason: textField("Why it was closed."),
    bountyAmount: integerField("Reputation offered for an answer."),
    license: textField("Licence of the text."),
    answers: Type.Optional(Type.Array(answerItem, { description: "With includeAnswers." })),
  }),
  example: { tags: ["typescript"], sort: "votes", limit: 10 },
  pace: stackExchangePace,
  targets: (input) => [{ input: input.tags.join(";"), tags: input.tags }],
  maxItems: (input) => input.limit,

  async *scrape(target, ctx) {
    const { sort, limit } = ctx.input
    const tags = target.tags.map(tagName)
    const pagesize = Math.min(100, limit)
    const seen = new Set<string>()
    const query = { site, order: "desc", sort, tagged: tags.join(";"), pagesize }
    let given = 0
    for (let page = 1; given < limit; page++) {
      const { items, more } = await questionPage("questions", { ...query, page }, ctx)
      // Questions move between pages while they are read.
      const fresh = unseen(items, seen, (question) => String(question.question_id))
      const kept = fresh.slice(0, limit - given)
      if (ctx.input.includeAnswers) await addAnswers(kept, ctx)
      for (const question of kept) yield questionFields(question, ctx)
      given += kept.length
      if (!more || fresh.length === 0) break
    }
    if (seen.size === 0) await requireTags(tags, ctx)
  },
})

function tagName(written: string): string {
  const tag = written.trim().toLowerCase().replace(/\s+/g, "-")
  if (!/^[a-z0-9#+.-]+$/.test(tag)) {
    throw new BadInput(`"${written}" is no tag; tags look like "c#" or "node.js".`)
  }
  return tag
}

/** Without the full filter the answers have calls of their own. */
async function addAnswers(questions: Post[], ctx: Context): Promise<void> {
  const lacking = questions.filter(
    (question) => !question.answers && (question.answer_count ?? 0) > 0,
  )
  if (lacking.length === 0) return
  const byId = new Map(lacking.map((question) => [question.question_id, question]))
  await orNull(ctx, "answers", async () => {
    for await (const page of answerPages([...byId.keys()], site, ctx)) {
      for (const answer of page) {
        const question = byId.get(answer.question_id)
        if (question) question.answers = [...(question.answers ?? []), answer]
      }
    }
  })
}

/** Nothing found is an answer only where the tags exist. */
async function requireTags(tags: string[], ctx: Context): Promise<void> {
  try {
    const method = `tags/${tags.map(encodeURIComponent).join(";")}/info`
    const { items } = await stackExchange<{ name: string }>(method, { site }, ctx)
    const unknown = tags.filter((tag) => !items.some((item) => item.name === tag))
    if (unknown.length > 0) {
      throw new BadInput(`Stack Overflow does not know the tag ${unknown.join(", ")}.`)
    }
  } catch (error) {
    ctx.signal.throwIfAborted()
    if (error instanceof BadInput || !(error instanceof Outcome)) throw error
    ctx.log(`Whether the tags exist could not be checked: ${error.message}`, "warning")
  }
}

function questionFields(question: Post, ctx: Context<Input>) {
  const { includeAnswers, answersPerQuestion } = ctx.input
  const answers = bestFirst(question.answers ?? []).slice(0, answersPerQuestion)
  return {
    questionId: question.question_id,
    title: unescaped(question.title),
    url: linkOr(question.link, `https://stackoverflow.com/questions/${question.question_id}`),
    score: integerOrNull(question.score),
    viewCount: integerOrNull(question.view_count),
    answerCount: integerOrNull(question.answer_count),
    commentCount: integerOrNull(question.comment_count),
    favoriteCount: integerOrNull(question.favorite_count),
    isAnswered: question.is_answered ?? null,
    acceptedAnswerId: integerOrNull(question.accepted_answer_id),
    tags: question.tags ?? [],
    ...authorFields(question.owner),
    authorImage: textOrNull(question.owner?.profile_image),
    bodyMarkdown: unescaped(question.body_markdown),
    bodyHtml: textOrNull(question.body),
    ...postTimes(question),
    lastEditedAt: isoFromUnix(question.last_edit_date),
    closedAt: isoFromUnix(question.closed_date),
    closedReason: textOrNull(question.closed_reason),
    bountyAmount: integerOrNull(question.bounty_amount),
    license: textOrNull(question.content_license),
    ...(includeAnswers ? { answers: answers.map(answerFields) } : {}),
  }
}

function answerFields(answer: Post) {
  const { author, authorReputation, authorUrl } = authorFields(answer.owner)
  return {
    answerId: answer.answer_id!,
    score: integerOrNull(answer.score),
    isAccepted: answer.is_accepted === true,
    author,
    authorReputation,
    authorUrl,
    bodyMarkdown: unescaped(answer.body_markdown),
    ...postTimes(answer),
    url: linkOr(answer.link, `https://stackoverflow.com/a/${answer.answer_id}`),
    commentCount: integerOrNull(answer.comment_count),
  }
}
