import { objectList } from "../../extract/core/index.ts"
import {
  BadInput,
  type Context,
  defineScraper,
  field,
  inputs,
  items,
  NotFound,
  once,
  oneOf,
  partFailed,
  record,
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

const idsPerCall = 100

/** Sites with their own domain; all others are subdomains of stackexchange.com. */
const ownDomains: Record<string, string> = {
  stackoverflow: "stackoverflow.com",
  superuser: "superuser.com",
  serverfault: "serverfault.com",
  askubuntu: "askubuntu.com",
  stackapps: "stackapps.com",
  "mathoverflow.net": "mathoverflow.net",
  meta: "meta.stackexchange.com",
}

type Input = { questions: string[]; site: string }

const votes = record({
  score: field.integer("score", "Upvotes minus downvotes."),
  upVotes: field.integer("up_vote_count", "Number of upvotes."),
  downVotes: field.integer("down_vote_count", "Number of downvotes."),
})

/** Fields that only questions have. */
const questionAlone = record({
  isAnswered: field.boolean(
    "is_answered",
    "Whether it has an accepted or upvoted answer; only for questions.",
  ),
  answerCount: field.integer("answer_count", "Number of answers; only for questions."),
  viewsCount: field.integer("view_count", "Number of views; only for questions."),
  tags: field.texts("tags", "Tags of the question; only for questions."),
  acceptedAnswerId: field.integer(
    "accepted_answer_id",
    "ID of the accepted answer; only for questions.",
  ),
})

const writing = record({
  author: authorName("Author of the post."),
  authorId: field.integer("owner.user_id", "User ID of the author."),
  authorReputation: field.integer("owner.reputation", "Reputation of the author."),
  authorUrl: field.text("owner.link", "URL of the author's page."),
  bodyMarkdown: bodyMarkdown("Post, as Markdown."),
  bodyHtml: field.text("body", "Post, as HTML."),
  createdAt: field.unixTime("creation_date", "Time of the post (ISO 8601, UTC)."),
  ...laterTimes,
  commentsCount: field.integer("comment_count", "Number of comments."),
  license: field.text("content_license", "Licence of the text, for example CC BY-SA 4.0."),
})

export default defineScraper({
  slug: "stackexchange-answers-scraper",
  name: "Stack Exchange Answers",
  tagline:
    "All answers to given questions of any Stack Exchange site, with scores, acceptance and authors.",
  notServed: ["search questions by tag"],
  category: "developer",
  input: {
    questions: inputs.texts(
      "Question or answer URLs, for example https://stackoverflow.com/q/11227809, or numeric IDs.",
      { max: 100 },
    ),
    site: inputs.textOr(
      "API name of the site for numeric IDs, for example superuser or dba.",
      "stackoverflow",
      { pattern: "^[a-z0-9.-]+$" },
    ),
  },
  item: {
    type: oneOf(["question", "answer"], { description: "Kind of post; the question comes first." }),
    input: items.requiredText("Question as written in the input."),
    site: items.requiredText("API name of the site, for example stackoverflow."),
    questionId: items.requiredInteger("ID of the question."),
    questionTitle: items.text("Title of the question."),
    questionUrl: items.requiredText("URL of the question's page."),
    answerId: items.integer("ID of the answer; null for the question."),
    url: items.requiredText("URL of the post."),
    ...votes.fields,
    isAccepted: items.boolean(
      "Whether the questioner accepted this answer; null for the question.",
    ),
    ...questionAlone.fields,
    ...writing.fields,
  },
  example: { questions: ["https://stackoverflow.com/questions/11227809"] },
  probe: {
    expect: [
      "items.length gte 2",
      "items[*].questionId equals 11227809",
      "items[*].isAccepted equals true",
      "items[*].score gte -50",
      "?items[*].bodyMarkdown share 0.9",
    ],
  },
  rateLimit: stackExchangeRateLimit,
  targets: (input) => input.questions,

  async *scrape(target, ctx) {
    const { site, id } = await questionOf(target, ctx)
    const question = (await questionsOf(site, ctx)).get(id)
    if (!question) throw new NotFound(`No such question: ${id} on ${site}.`)
    const questionTitle = unescaped(String(question.title ?? ""))
    const questionUrl = linkOr(question.link, `https://${host(site)}/questions/${id}`)
    const shared = { input: target, site, questionId: id, questionTitle, questionUrl }
    yield {
      ...shared,
      type: "question" as const,
      answerId: null,
      url: questionUrl,
      isAccepted: null,
      ...questionAlone.read(question),
      ...votes.read(question),
      ...writing.read(question),
    }
    const { answers, failure } = await answersOf(question, site, ctx)
    for (const response of bestFirst(answers)) {
      yield {
        ...shared,
        type: "answer" as const,
        answerId: Number(response.answer_id),
        url: linkOr(response.link, `https://${host(site)}/a/${response.answer_id}`),
        isAccepted: response.is_accepted === true,
        ...questionAlone.read({}),
        ...votes.read(response),
        ...writing.read(response),
      }
    }
    if (failure) yield partFailed(ctx, failure, shared)
  },
})

function host(site: string): string {
  const metaOf = /^meta\.(.+)$/.exec(site)?.[1]
  return metaOf && ownDomains[metaOf]
    ? `meta.${ownDomains[metaOf]}`
    : (ownDomains[site] ??
        (/\.stackoverflow$/.test(site) ? `${site}.com` : `${site}.stackexchange.com`))
}

/** Returns the site and ID that a target contains, and whether it is an answer's. */
function named(target: string, site: string): { site: string; id: number; isAnswer: boolean } {
  const text = target.trim()
  if (/^\d{1,12}$/.test(text)) return { site, id: Number(text), isAnswer: false }
  const match = /^(?:https?:\/\/)?([a-z0-9.-]+)\/(q|questions|a)\/(\d{1,12})/i.exec(text)
  const result = match && siteOf(match[1]!.toLowerCase())
  if (!match || !result)
    throw new BadInput(`"${target}" is not a Stack Exchange question. Write its numeric ID or URL.`)
  return { site: result, id: Number(match[3]), isAnswer: match[2]!.toLowerCase() === "a" }
}

function siteOf(name: string): string | undefined {
  const plain = name.replace(/^www\./, "")
  const own = Object.entries(ownDomains).find(([, domain]) => domain === plain)
  if (own) return own[0]
  return (
    /^((?:meta\.)?[a-z0-9-]+|[a-z0-9-]+\.meta)\.stackexchange\.com$/.exec(plain)?.[1] ??
    /^((?:meta\.)?(?:pt|es|ru|ja|meta)\.?stackoverflow|meta\.[a-z]+)\.(?:com|net)$/.exec(plain)?.[1]
  )
}

/**
 * Returns the site and ID of the question. Looks up the question of an answer, once for each
 * answer.
 */
async function questionOf(target: string, ctx: Context<Input>) {
  const { site, id, isAnswer } = named(target, ctx.input.site)
  if (!isAnswer) return { site, id }
  const { items } = await once(ctx, `stackexchange.answer.${site}.${id}`, () =>
    stackExchange<Post>(`answers/${id}`, { site }, ctx),
  )
  if (!items[0]) throw new NotFound(`No such answer: ${id} on ${site}.`)
  return { site, id: items[0].question_id }
}

/**
 * Returns all questions that the run needs from a site, a hundred per call, because the quota
 * counts calls.
 */
function questionsOf(site: string, ctx: Context<Input>): Promise<Map<number, Post>> {
  return once(ctx, `stackexchange.questions.${site}`, async () => {
    const ids = new Set<number>()
    for (const target of ctx.input.questions) {
      try {
        const wanted = await questionOf(target, ctx)
        if (wanted.site === site) ids.add(wanted.id)
      } catch (error) {
        // The target fails later, with its own error.
        ctx.signal.throwIfAborted()
        ctx.log(`${target}: ${(error as Error).message}`)
      }
    }
    const byKey = new Map<number, Post>()
    const list = [...ids]
    for (let from = 0; from < list.length; from += idsPerCall) {
      const method = `questions/${list.slice(from, from + idsPerCall).join(";")}`
      const { items } = await questionPage(method, { site, pagesize: idsPerCall }, ctx)
      for (const item of items) if (!byKey.has(item.question_id)) byKey.set(item.question_id, item)
    }
    return byKey
  })
}

/** Returns the answers that came with the question, and requests the others if there are more. */
async function answersOf(question: Post, site: string, ctx: Context) {
  const sent = objectList(question.answers)
  if ((question.answer_count ?? 0) <= sent.length) return { answers: sent }
  const answers = new Map(sent.map((response) => [response.answer_id, response]))
  let failure: unknown
  try {
    for await (const page of answerPages([question.question_id], site, ctx)) {
      for (const response of page) {
        answers.set(response.answer_id, { ...response, ...answers.get(response.answer_id) })
      }
    }
  } catch (error) {
    failure = error
  }
  return { answers: [...answers.values()], failure }
}
