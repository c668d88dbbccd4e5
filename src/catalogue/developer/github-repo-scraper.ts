import { Type } from "@sinclair/typebox"
import { at } from "../../extract/embedded.ts"
import { booleanOrNull, integerOrNull, numberRecord, round } from "../../extract/numbers.ts"
import { textOrNull } from "../../extract/text.ts"
import { orNull } from "../calls.ts"
import type { Context } from "../context.ts"
import { defineScraper } from "../define.ts"
import {
  booleanField,
  inputObject,
  integerField,
  itemObject,
  nullable,
  textField,
} from "../fields.ts"
import { inputs } from "../inputs.ts"
import { github, githubObject, githubPace, listOf, repositoryPath } from "./github.ts"
import { repositoryFields, repositoryItem } from "./github-repository.ts"

const numbers = (description: string) =>
  nullable(Type.Record(Type.String(), Type.Number(), { description }))

const item = itemObject({
  input: Type.String({ description: "The repository as it was asked for." }),
  ...repositoryFields,
  watchers: integerField("Users who watch it (not the stars)."),
  languages: numbers("Bytes of code by language; null when not asked for or not available."),
  languagesPercent: numbers("Share of each language in percent."),
  isPrivate: booleanField("It is private."),
  isDisabled: booleanField("GitHub disabled it."),
  hasIssues: booleanField("It takes issues."),
  hasWiki: booleanField("It has a wiki."),
  hasPages: booleanField("It has a GitHub Pages site."),
  hasDiscussions: booleanField("It has discussions."),
  parent: textField("owner/name of the repository that it was forked from."),
  source: textField("owner/name at the root of the network of forks."),
  sshUrl: textField("SSH address to clone from."),
  contributors: nullable(
    Type.Array(
      itemObject({
        login: Type.String(),
        id: nullable(Type.Integer()),
        url: Type.String(),
        avatarUrl: nullable(Type.String()),
        type: nullable(Type.String()),
        contributions: nullable(Type.Integer()),
      }),
      {
        description:
          "The first 100 contributors with a GitHub account, by commits; null when not asked for or not available.",
      },
    ),
  ),
  contributorsCount: integerField("Length of contributors."),
})

export default defineScraper({
  slug: "github-repo-scraper",
  name: "GitHub Repositories",
  tagline:
    "Full facts of GitHub repositories: stars, forks, language split, licence, topics, contributors.",
  category: "developer",
  tier: "free",
  input: inputObject({
    repos: inputs.texts("Repositories as owner/name, or their GitHub or clone addresses.", {
      max: 200,
    }),
    includeLanguages: inputs.flag("Adds the bytes of code by language.", true),
    includeContributors: inputs.flag("Adds the first 100 contributors."),
  }),
  item,
  example: { repos: ["octocat/Hello-World"] },
  pace: githubPace,
  targets: (input) => input.repos,

  async *scrape(target, ctx) {
    const asked = repositoryPath(target)
    const { object: repo, answer } = await githubObject(`/repos/${asked}`, ctx)
    const common = repositoryItem(repo)
    const path = answer.redirects.length > 0 ? common.fullName : asked
    const languages = ctx.input.includeLanguages
      ? await orNull(ctx, `languages of ${path}`, () => languagesOf(path, ctx))
      : null
    const contributors = ctx.input.includeContributors
      ? await orNull(ctx, `contributors of ${path}`, () => contributorsOf(path, ctx))
      : null
    yield {
      input: target,
      ...common,
      watchers: integerOrNull(repo.subscribers_count),
      languages,
      languagesPercent: languages && percentages(languages),
      isPrivate: booleanOrNull(repo.private),
      isDisabled: booleanOrNull(repo.disabled),
      hasIssues: booleanOrNull(repo.has_issues),
      hasWiki: booleanOrNull(repo.has_wiki),
      hasPages: booleanOrNull(repo.has_pages),
      hasDiscussions: booleanOrNull(repo.has_discussions),
      parent: textOrNull(at(repo, "parent", "full_name")),
      source: textOrNull(at(repo, "source", "full_name")),
      sshUrl: textOrNull(repo.ssh_url),
      contributors,
      contributorsCount: contributors?.length ?? null,
    }
  },
})

async function languagesOf(path: string, ctx: Context): Promise<Record<string, number>> {
  const { object } = await githubObject(`/repos/${path}/languages`, ctx)
  return numberRecord(object)
}

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
  const answer = await github(`/repos/${path}/contributors?per_page=100`, ctx)
  // 204: the repository is empty.
  if (answer.status === 204) return []
  return listOf(answer).flatMap((user) => {
    const login = textOrNull(user.login)
    if (login === null) return []
    return {
      login,
      id: integerOrNull(user.id),
      url: textOrNull(user.html_url) ?? `https://github.com/${login}`,
      avatarUrl: textOrNull(user.avatar_url),
      type: textOrNull(user.type),
      contributions: integerOrNull(user.contributions),
    }
  })
}
