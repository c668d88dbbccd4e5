import { textOrNull } from "../../extract/core/index.ts"
import { at } from "../../extract/embedded/index.ts"
import {
  defineScraper,
  field,
  inputs,
  items,
  oneOf,
  partFailed,
  type Row,
  readRows,
  record,
  required,
} from "../kit/index.ts"
import {
  githubPages,
  githubScraper,
  profileOf,
  repositoriesInput,
  repositoryPath,
} from "./github.ts"
import { reactionsField } from "./reactions.ts"

const issueRecord = record({
  input: items.requiredText("Repository as written in the input."),
  repo: items.requiredText("owner/name."),
  type: field.of(
    oneOf(["issue", "pull_request"], { description: "Type of the result." }),
    (issue: Row) => (isPullRequest(issue) ? "pull_request" : "issue"),
  ),
  isPullRequest: field.flag(isPullRequest, "Whether the result is a pull request."),
  number: required(field.integer("number", "Number within the repository.")),
  id: field.integer("id", "GitHub's ID of the issue."),
  title: required(field.text("title", "Title.")),
  url: required(field.text("html_url", "URL of the issue.")),
  state: field.text("state", "State: open or closed."),
  stateReason: field.text(
    "state_reason",
    "Reason for the state: completed, not_planned, reopened or duplicate.",
  ),
  author: field.text("user.login", "Login of the author; null if the account was deleted."),
  authorUrl: field.text((issue: Row) => profileOf(issue.user), "URL of the author's page."),
  authorAvatarUrl: field.text("user.avatar_url", "URL of the author's image."),
  authorAssociation: field.text(
    "author_association",
    "Author's role in the repository: OWNER, MEMBER, NONE and so on.",
  ),
  body: field.text("body", "Text as Markdown."),
  labels: field.texts((issue: Row) => namesOf(issue.labels, "name"), "Names of the labels."),
  assignees: field.texts(
    (issue: Row) => namesOf(issue.assignees ?? [issue.assignee], "login"),
    "Logins of the assignees.",
  ),
  milestone: field.text("milestone.title", "Title of the milestone."),
  issueType: field.text("type.name", "Type set by the organization, for example Bug."),
  commentsCount: field.integer("comments", "Number of comments."),
  reactions: reactionsField,
  isLocked: field.boolean("locked", "Whether the conversation is locked."),
  lockReason: field.text("active_lock_reason", "Reason for the lock."),
  isDraft: field.boolean("draft", "Whether the pull request is a draft."),
  mergedAt: field.time(
    "pull_request.merged_at",
    "Time of the merge (ISO 8601, UTC); null unless a merged pull request.",
  ),
  createdAt: field.time("created_at", "Time of opening (ISO 8601, UTC)."),
  updatedAt: field.time("updated_at", "Time of the last change (ISO 8601, UTC)."),
  closedAt: field.time("closed_at", "Time of closing (ISO 8601, UTC)."),
  closedBy: field.text(
    "closed_by.login",
    "Login of the user who closed the issue; seldom included in lists.",
  ),
})

export default defineScraper({
  slug: "github-issues-scraper",
  name: "GitHub Issues",
  tagline: "Issues (and optionally pull requests) of GitHub repositories.",
  notServed: ["create issues"],
  ...githubScraper,
  input: {
    repos: repositoriesInput,
    state: inputs.choice(["open", "closed", "all"], "State of the issues.", "open"),
    labels: inputs.optionalText(
      "Comma-separated labels; an issue must have all of them, for example bug,help wanted.",
    ),
    sort: inputs.choice(
      ["created", "updated", "comments"],
      "Sort order, newest or highest first.",
      "created",
    ),
    includePullRequests: inputs.flag("Whether to include pull requests."),
    maxItemsPerRepo: inputs.count("Maximum issues per repository", { max: 5000, or: 100 }),
  },
  item: issueRecord,
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
  targets: (input) => input.repos,

  async *scrape(target, ctx) {
    const repo = repositoryPath(target)
    const { state, sort, labels, maxItemsPerRepo } = ctx.input
    const query = new URLSearchParams(
      `state=${state}&sort=${sort}&direction=desc&per_page=100&page=1`,
    )
    if (labels?.trim()) query.set("labels", labels.trim())
    let stored = 0
    try {
      for await (const page of githubPages(`/repos/${repo}/issues?${query}`, ctx)) {
        const read = (issue: Row) => {
          if (isPullRequest(issue) && !ctx.input.includePullRequests) return null
          return issueRecord.read({ ...issue, input: target, repo })
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

/** Old responses also have `pull_request` for plain issues, with empty values. */
function isPullRequest(issue: Row): boolean {
  return Boolean(at(issue, "pull_request", "url") ?? at(issue, "pull_request", "html_url"))
}

/** Returns one field of each list entry; an entry may also be the text itself. */
function namesOf(list: unknown, field: string): string[] {
  if (!Array.isArray(list)) return []
  return list.flatMap((entry) => textOrNull(at(entry, field) ?? entry) ?? [])
}
