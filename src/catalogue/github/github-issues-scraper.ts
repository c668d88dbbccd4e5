import { Type } from "@sinclair/typebox"
import { textOrNull } from "../../extract/core/index.ts"
import { at } from "../../extract/embedded/index.ts"
import {
  defineScraper,
  field,
  inputObject,
  inputs,
  itemObject,
  oneOf,
  partFailed,
  readRows,
  record,
  required,
} from "../kit/index.ts"
import {
  type GithubObject,
  githubPages,
  githubRateLimit,
  profileOf,
  repositoryPath,
} from "./github.ts"
import { reactionsField } from "./reactions.ts"

const issueRecord = record({
  type: field.of(
    oneOf(["issue", "pull_request"], { description: "Kind of the result." }),
    (issue: GithubObject) => (isPullRequest(issue) ? "pull_request" : "issue"),
  ),
  isPullRequest: field.flag(isPullRequest, "Whether it is a pull request."),
  number: required(field.integer("number", "Number within the repository.")),
  id: field.integer("id", "GitHub's number of it."),
  title: required(field.text("title", "Title.")),
  url: required(field.text("html_url", "Its page.")),
  state: field.text("state", "open or closed."),
  stateReason: field.text(
    "state_reason",
    "Why it is in that state: completed, not_planned, reopened, duplicate.",
  ),
  author: field.text("user.login", "Login of the author; null when the account is gone."),
  authorUrl: field.text((issue: GithubObject) => profileOf(issue.user), "The author's page."),
  authorAvatarUrl: field.text("user.avatar_url", "Author's image."),
  authorAssociation: field.text(
    "author_association",
    "The author's part in the repository: OWNER, MEMBER, NONE and so on.",
  ),
  body: field.text("body", "Text, in Markdown."),
  labels: field.texts(
    (issue: GithubObject) => namesOf(issue.labels, "name"),
    "Names of the labels.",
  ),
  assignees: field.texts(
    (issue: GithubObject) => namesOf(issue.assignees ?? [issue.assignee], "login"),
    "Logins of the assignees.",
  ),
  milestone: field.text("milestone.title", "Title of the milestone."),
  issueType: field.text("type.name", "Type that the organisation gave it, such as Bug."),
  commentsCount: field.integer("comments", "Number of comments."),
  reactions: reactionsField,
  isLocked: field.boolean("locked", "The conversation is locked."),
  lockReason: field.text("active_lock_reason", "Why it is locked."),
  isDraft: field.boolean("draft", "The pull request is a draft."),
  mergedAt: field.time(
    "pull_request.merged_at",
    "When the pull request was merged (ISO 8601, UTC).",
  ),
  createdAt: field.time("created_at", "When it was opened."),
  updatedAt: field.time("updated_at", "When it last changed."),
  closedAt: field.time("closed_at", "When it was closed."),
  closedBy: field.text("closed_by.login", "Login of who closed it; lists seldom hold it."),
})

export default defineScraper({
  slug: "github-issues-scraper",
  name: "GitHub Issues",
  tagline: "Issues (and, if wanted, pull requests) of GitHub repositories.",
  serves: [
    "open bugs of a GitHub repository",
    "list issues and pull requests",
    "known problems of a project",
    "which tickets are still open",
    "feature requests of an open source project",
    "open PRs waiting for review",
    "who reported a bug",
    "bugs labelled in a repo",
    "closed issues of a repo about an error",
  ],
  notServed: ["create issues"],
  category: "developer",
  tier: "free",
  input: inputObject({
    repos: inputs.texts(
      "Repositories as owner/name, for example facebook/react, or GitHub or clone URLs.",
      {
        max: 200,
      },
    ),
    state: inputs.choice(["open", "closed", "all"], "State of the issues.", "open"),
    labels: Type.Optional(
      Type.String({
        description:
          "Comma-separated labels that an issue must all have, for example bug,help wanted.",
      }),
    ),
    sort: inputs.choice(
      ["created", "updated", "comments"],
      "Sort order, newest or highest first.",
      "created",
    ),
    includePullRequests: inputs.flag("Include pull requests."),
    maxItemsPerRepo: inputs.count("Maximum issues per repository", { max: 5000, or: 100 }),
  }),
  item: itemObject({
    input: Type.String({ description: "Repository as written in the input." }),
    repo: Type.String({ description: "owner/name." }),
    ...issueRecord.fields,
  }),
  example: { repos: ["octocat/Hello-World"], maxItemsPerRepo: 20 },
  probe: {
    input: { repos: ["octocat/Hello-World"], maxItemsPerRepo: 5 },
    expect: [
      "items.length equals 5",
      "items[*].number gte 1",
      "items[*].title share 1",
      "items[*].author share 0.8",
      "items[*].createdAt share 1",
    ],
  },
  rateLimit: githubRateLimit,
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
    let stored = 0
    try {
      for await (const page of githubPages(`/repos/${repo}/issues?${query}`, ctx)) {
        const read = (issue: GithubObject) => {
          if (isPullRequest(issue) && !ctx.input.includePullRequests) return null
          return { input: target, repo, ...issueRecord.read(issue) }
        }
        for await (const item of readRows(page, read, ctx)) {
          yield item
          if (++stored >= maxItemsPerRepo) return
        }
      }
    } catch (error) {
      if (stored === 0) throw error
      yield partFailed(ctx, error, { input: target, repo })
    }
  },
})

/** Old answers give plain issues, too, a `pull_request`, with nothing in it. */
function isPullRequest(issue: GithubObject): boolean {
  return Boolean(at(issue, "pull_request", "url") ?? at(issue, "pull_request", "html_url"))
}

/** The entries of a list by one of their fields; an entry may also be the text itself. */
function namesOf(list: unknown, field: string): string[] {
  if (!Array.isArray(list)) return []
  return list.flatMap((entry) => textOrNull(at(entry, field) ?? entry) ?? [])
}
