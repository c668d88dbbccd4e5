import { Type } from "@sinclair/typebox"
import { isoDate } from "../../extract/dates.ts"
import { at } from "../../extract/embedded.ts"
import { booleanOrNull, integerOrNull } from "../../extract/numbers.ts"
import { textOrNull } from "../../extract/text.ts"
import { partFailed } from "../calls.ts"
import { defineScraper } from "../define.ts"
import {
  booleanField,
  inputObject,
  integerField,
  itemObject,
  oneOf,
  textField,
  textsField,
} from "../fields.ts"
import { inputs } from "../inputs.ts"
import { Changed } from "../outcome.ts"
import { type GithubObject, githubPace, githubPages, repositoryPath } from "./github.ts"
import { reactionsOf, reactionsSchema } from "./github-reactions.ts"

const item = itemObject({
  input: Type.String({ description: "The repository as it was asked for." }),
  repo: Type.String({ description: "owner/name." }),
  type: oneOf(["issue", "pull_request"], { description: "What it is." }),
  isPullRequest: Type.Boolean({ description: "It is a pull request." }),
  number: Type.Integer({ description: "Number within the repository." }),
  id: integerField("GitHub's number of it."),
  title: Type.String({ description: "Title." }),
  url: Type.String({ description: "Its page." }),
  state: textField("open or closed."),
  stateReason: textField("Why it is in that state: completed, not_planned, reopened, duplicate."),
  author: textField("Login of the author; null when the account is gone."),
  authorUrl: textField("The author's page."),
  authorAvatar: textField("The author's picture."),
  authorAssociation: textField(
    "The author's part in the repository: OWNER, MEMBER, NONE and so on.",
  ),
  body: textField("Text, in Markdown."),
  labels: textsField("Names of the labels."),
  assignees: textsField("Logins of the assignees."),
  milestone: textField("Title of the milestone."),
  issueType: textField("Type that the organisation gave it, such as Bug."),
  commentCount: integerField("Number of comments."),
  reactions: reactionsSchema,
  isLocked: booleanField("The conversation is locked."),
  lockReason: textField("Why it is locked."),
  isDraft: booleanField("The pull request is a draft."),
  mergedAt: textField("When the pull request was merged (ISO 8601, UTC)."),
  createdAt: textField("When it was opened."),
  updatedAt: textField("When it last changed."),
  closedAt: textField("When it was closed."),
  closedBy: textField("Login of who closed it; lists seldom hold it."),
})

export default defineScraper({
  slug: "github-issues-scraper",
  name: "GitHub Issues",
  tagline: "Issues (and, if wanted, pull requests) of GitHub repositories.",
  category: "developer",
  tier: "free",
  input: inputObject({
    repos: inputs.texts("Repositories as owner/name, or their GitHub or clone addresses.", {
      max: 200,
    }),
    state: inputs.choice(["open", "closed", "all"], "Which issues.", "open"),
    labels: Type.Optional(
      Type.String({ description: "Labels, separated by commas; an issue must have all of them." }),
    ),
    sort: inputs.choice(
      ["created", "updated", "comments"],
      "Order, the newest or most first.",
      "created",
    ),
    includePullRequests: inputs.flag("Adds pull requests."),
    maxItemsPerRepo: inputs.count("Most items of each repository.", { max: 5000, or: 100 }),
  }),
  item,
  example: { repos: ["octocat/Hello-World"], maxItemsPerRepo: 20 },
  pace: githubPace,
  targets: (input) => input.repos,

  async *scrape(target, ctx) {
    const repo = repositoryPath(target)
    const { state, sort, labels, maxItemsPerRepo } = ctx.input
    const query = new URLSearchParams({
      state,
      sort,
      direction: "desc",
      per_page: "100",
      page: "1",
    })
    if (labels?.trim()) query.set("labels", labels.trim())
    let kept = 0
    try {
      for await (const page of githubPages(`/repos/${repo}/issues?${query}`, ctx)) {
        for (const issue of page) {
          if (isPullRequest(issue) && !ctx.input.includePullRequests) continue
          yield { input: target, repo, ...issueItem(issue) }
          if (++kept >= maxItemsPerRepo) return
        }
      }
    } catch (error) {
      if (kept === 0) throw error
      yield partFailed(ctx, error, { input: target, repo })
    }
  },
})

/** Old answers give plain issues, too, a `pull_request`, with nothing in it. */
function isPullRequest(issue: GithubObject): boolean {
  return Boolean(at(issue, "pull_request", "url") ?? at(issue, "pull_request", "html_url"))
}

function issueItem(issue: GithubObject) {
  const { number, title, html_url: url } = issue
  if (typeof number !== "number" || typeof title !== "string" || typeof url !== "string") {
    throw new Changed("GitHub's list holds something that is no issue.")
  }
  const type: "issue" | "pull_request" = isPullRequest(issue) ? "pull_request" : "issue"
  const author = textOrNull(at(issue, "user", "login"))
  return {
    type,
    isPullRequest: type === "pull_request",
    number,
    id: integerOrNull(issue.id),
    title,
    url,
    state: textOrNull(issue.state),
    stateReason: textOrNull(issue.state_reason),
    author,
    authorUrl:
      textOrNull(at(issue, "user", "html_url")) ?? (author && `https://github.com/${author}`),
    authorAvatar: textOrNull(at(issue, "user", "avatar_url")),
    authorAssociation: textOrNull(issue.author_association),
    body: textOrNull(issue.body),
    labels: namesOf(issue.labels, "name"),
    assignees: namesOf(issue.assignees ?? [issue.assignee], "login"),
    milestone: textOrNull(at(issue, "milestone", "title")),
    issueType: textOrNull(at(issue, "type", "name")),
    commentCount: integerOrNull(issue.comments),
    reactions: reactionsOf(issue.reactions),
    isLocked: booleanOrNull(issue.locked),
    lockReason: textOrNull(issue.active_lock_reason),
    isDraft: booleanOrNull(issue.draft),
    mergedAt: isoDate(at(issue, "pull_request", "merged_at")),
    createdAt: isoDate(issue.created_at),
    updatedAt: isoDate(issue.updated_at),
    closedAt: isoDate(issue.closed_at),
    closedBy: textOrNull(at(issue, "closed_by", "login")),
  }
}

/** The entries of a list by one of their fields; an entry may also be the text itself. */
function namesOf(list: unknown, field: string): string[] {
  if (!Array.isArray(list)) return []
  return list.flatMap((entry) => textOrNull(at(entry, field) ?? entry) ?? [])
}
