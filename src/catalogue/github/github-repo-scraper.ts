import { numberRecord, round, textOrNull } from "../../extract/core/index.ts"
import {
  type Context,
  defineScraper,
  field,
  inputs,
  items,
  nullable,
  orNull,
  record,
  required,
} from "../kit/index.ts"
import {
  github,
  githubObject,
  githubScraper,
  listOf,
  profileOf,
  repositoriesInput,
  repositoryPath,
} from "./github.ts"
import { repositoryFields } from "./repository.ts"

const numbers = (description: string) => nullable(items.numbersByName(description))

const contributor = record({
  login: required(field.text("login", "Login of the contributor.")),
  id: field.integer("id", "GitHub's ID of the account."),
  url: required(field.text(profileOf, "URL of the contributor's profile.")),
  avatarUrl: field.text("avatar_url", "URL of the contributor's image."),
  type: field.text("type", "Type of account: User, Organization or Bot."),
  contributions: field.integer("contributions", "Number of commits."),
})

const repository = record({
  input: items.requiredText("Repository as written in the input."),
  ...repositoryFields,
  watchers: field.integer(
    "subscribers_count",
    "Number of users who watch the repository (not the stars).",
  ),
  languages: numbers("Bytes of code by language; null unless requested and available."),
  languagesPercent: numbers("Percentage of each language."),
  isPrivate: field.boolean("private", "Whether the repository is private."),
  isDisabled: field.boolean("disabled", "Whether GitHub disabled the repository."),
  hasIssues: field.boolean("has_issues", "Whether issues are enabled."),
  hasWiki: field.boolean("has_wiki", "Whether the repository has a wiki."),
  hasPages: field.boolean("has_pages", "Whether the repository has a GitHub Pages site."),
  hasDiscussions: field.boolean("has_discussions", "Whether discussions are enabled."),
  parent: field.text("parent.full_name", "Repository that this one was forked from (owner/name)."),
  source: field.text(
    "source.full_name",
    "Repository at the root of the network of forks (owner/name).",
  ),
  sshUrl: field.text("ssh_url", "SSH URL for cloning."),
  contributors: nullable(
    items.objects(
      "First 100 contributors with a GitHub account, by commits; null unless requested and available.",
      contributor.fields,
    ),
  ),
  contributorsCount: items.integer("Number of entries in `contributors`."),
})

export default defineScraper({
  slug: "github-repo-scraper",
  name: "GitHub Repositories",
  tagline:
    "All facts about GitHub repositories: stars, forks, language split, licence, topics, contributors.",
  notServed: ["source code", "issues"],
  ...githubScraper,
  input: {
    repos: repositoriesInput,
    includeLanguages: inputs.flag("Whether to include the bytes of code per language.", true),
    includeContributors: inputs.flag("Whether to include the first 100 contributors."),
  },
  item: repository,
  example: { repos: ["octocat/Hello-World"] },
  probe: {
    expect: [
      "items.length equals 1",
      "items[0].id equals 1296269",
      'items[0].fullName equals "octocat/Hello-World"',
      "items[0].stars gte 2000",
      "items[0].forks gte 1000",
      'items[0].createdAt matches "^2011-01-26"',
    ],
  },
  // The repository, its languages and its contributors.
  pages: { ofTarget: 3 },
  targets: (input) => input.repos,

  async *scrape(target, ctx) {
    const requested = repositoryPath(target)
    const { object: repo, response } = await githubObject(`/repos/${requested}`, ctx)
    const facts = repository.read({ ...repo, input: target })
    const path = response.redirects.length > 0 ? facts.fullName : requested
    const languages = ctx.input.includeLanguages
      ? await orNull(ctx, `languages of ${path}`, () => languagesOf(path, ctx))
      : null
    const contributors = ctx.input.includeContributors
      ? await orNull(ctx, `contributors of ${path}`, () => contributorsOf(path, ctx))
      : null
    yield {
      ...facts,
      languages,
      languagesPercent: languages && percentages(languages),
      contributors,
      contributorsCount: contributors?.length ?? null,
    }
  },
})

const languagesOf = async (path: string, ctx: Context): Promise<Record<string, number>> =>
  numberRecord((await githubObject(`/repos/${path}/languages`, ctx)).object)

function percentages(bytes: Record<string, number>): Record<string, number> {
  const total = Object.values(bytes).reduce((sum, count) => sum + count, 0)
  return Object.fromEntries(
    Object.entries(bytes).map(([language, count]) => [
      language,
      round((100 * count) / (total || 1), 1),
    ]),
  )
}

async function contributorsOf(path: string, ctx: Context) {
  const response = await github(`/repos/${path}/contributors?per_page=100`, ctx)
  // Status 204 means that the repository is empty.
  if (response.status === 204) return []
  return listOf(response)
    .filter((user) => textOrNull(user.login) !== null)
    .map((user) => contributor.read(user))
}
