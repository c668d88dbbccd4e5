import { Type } from "@sinclair/typebox"
import { isoDate } from "../../extract/dates.ts"
import { at } from "../../extract/embedded.ts"
import { booleanOrNull, integerOrNull } from "../../extract/numbers.ts"
import { textList, textOrNull } from "../../extract/text.ts"
import { booleanField, integerField, textField, textsField } from "../fields.ts"
import { Changed } from "../outcome.ts"
import type { GithubObject } from "./github.ts"

/** What a repository's own answer and a search's entries both hold. */
export const repositoryFields = {
  id: Type.Integer({ description: "GitHub's number of the repository." }),
  fullName: Type.String({ description: "owner/name, as GitHub writes it today." }),
  name: Type.String({ description: "Name without the owner." }),
  owner: textField("Login of the owner."),
  ownerType: textField("User or Organization."),
  ownerUrl: textField("The owner's page."),
  ownerAvatar: textField("The owner's picture."),
  url: Type.String({ description: "The repository's page." }),
  description: textField("One line on the repository."),
  homepage: textField("Home page."),
  stars: Type.Integer({ description: "Stars." }),
  forks: integerField("Forks."),
  openIssues: integerField("Open issues and pull requests."),
  sizeKb: integerField("Size in kilobytes."),
  language: textField("Main programming language."),
  topics: textsField("Topics."),
  license: textField(
    "SPDX identifier of the licence; NOASSERTION is one that GitHub does not know.",
  ),
  licenseName: textField("Name of the licence."),
  defaultBranch: textField("Default branch."),
  visibility: textField("public, private or internal."),
  isFork: booleanField("It is a fork of another repository."),
  isArchived: booleanField("It is archived: read-only."),
  isTemplate: booleanField("It is a template for new repositories."),
  createdAt: textField("When it was created (ISO 8601, UTC)."),
  updatedAt: textField("When its description, stars or the like last changed."),
  pushedAt: textField("When something was last pushed to it."),
  cloneUrl: textField("Address to clone from."),
}

/** @throws Changed when the object is no repository */
export function repositoryItem(repo: GithubObject) {
  const { id, name } = repo
  const owner = textOrNull(at(repo, "owner", "login"))
  const stars = integerOrNull(repo.stargazers_count ?? repo.watchers)
  if (typeof id !== "number" || typeof name !== "string" || stars === null) {
    throw new Changed("GitHub's answer holds no repository.")
  }
  const fullName = textOrNull(repo.full_name) ?? `${owner}/${name}`
  return {
    id,
    fullName,
    name,
    owner,
    ownerType: textOrNull(at(repo, "owner", "type")),
    ownerUrl: textOrNull(at(repo, "owner", "html_url")) ?? (owner && `https://github.com/${owner}`),
    ownerAvatar: textOrNull(at(repo, "owner", "avatar_url")),
    url: textOrNull(repo.html_url) ?? `https://github.com/${fullName}`,
    description: textOrNull(repo.description),
    homepage: textOrNull(repo.homepage),
    stars,
    forks: integerOrNull(repo.forks_count ?? repo.forks),
    openIssues: integerOrNull(repo.open_issues_count ?? repo.open_issues),
    sizeKb: integerOrNull(repo.size),
    language: textOrNull(repo.language),
    topics: textList(repo.topics),
    license: textOrNull(at(repo, "license", "spdx_id")),
    licenseName: textOrNull(at(repo, "license", "name")),
    defaultBranch: textOrNull(repo.default_branch),
    visibility: textOrNull(repo.visibility),
    isFork: booleanOrNull(repo.fork),
    isArchived: booleanOrNull(repo.archived),
    isTemplate: booleanOrNull(repo.is_template),
    createdAt: isoDate(repo.created_at),
    updatedAt: isoDate(repo.updated_at),
    pushedAt: isoDate(repo.pushed_at),
    cloneUrl: textOrNull(repo.clone_url),
  }
}
