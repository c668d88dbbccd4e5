const shortHosts: Record<string, string> = {
  github: "github.com",
  gitlab: "gitlab.com",
  bitbucket: "bitbucket.org",
  gist: "gist.github.com",
}

/**
 * Returns the web URL of a repository in any form that package authors write: `git+https://….git`,
 * `git://…`, `git@host:owner/name.git`, `ssh://git@host/…`, `github:owner/name`, `owner/name`.
 */
export function repositoryUrl(written: string | null): string | null {
  if (written === null) return null
  const url = written.trim().replace(/#.*$/, "")
  const short = /^(?:(github|gitlab|bitbucket|gist):)?([\w.-]+\/[\w.-]+|(?<=gist:)\w+)$/.exec(url)
  if (short) return `https://${shortHosts[short[1] ?? "github"]}/${short[2]!.replace(/\.git$/, "")}`
  return url
    .replace(/^git\+/, "")
    .replace(/^(https?:\/\/)[^@/]+@/, "$1")
    .replace(/^(?:git@|ssh:\/\/(?:[^@/]+@)?|git:\/\/(?:[^@/]+@)?)([^:/]+)[:/]/, "https://$1/")
    .replace(/\.git\/?$/, "")
}
