export const homepageNames = ["homepage", "home"]
export const repositoryNames = ["source", "repository", "source code", "code", "github"]
export const documentationNames = ["documentation", "docs"]
export const issueNames = ["issues", "bug reports", "bug tracker", "issue tracker", "tracker"]

/**
 * Returns the link whose label is one of the names, ignoring case. Earlier names win.
 * @example
 * ```ts
 * issueTracker: linkNamed(info.project_urls, issueNames)
 * ```
 */
export function linkNamed(links: Record<string, string>, names: string[]): string | null {
  const byLabel = new Map(Object.entries(links).map(([label, link]) => [label.toLowerCase(), link]))
  for (const name of names) {
    const link = byLabel.get(name)
    if (link) return link
  }
  return null
}

/** Returns the first URL of a supported code host that is not a sponsors page. */
export function repositoryAmong(links: (string | null)[]): string | null {
  return (
    links.find((link) =>
      /^https?:\/\/(?:www\.)?(?:github|gitlab|bitbucket|codeberg)\.\w+\/(?!sponsors\/)/i.test(
        link ?? "",
      ),
    ) ?? null
  )
}
