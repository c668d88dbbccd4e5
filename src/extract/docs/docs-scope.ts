/** Decides which URLs belong to the documentation of a start page. */

/**
 * A test for URLs of one documentation: below the prefix (default: the folder of the start
 * page), of the same version and language as the start page, and no index, search or print page.
 */
export function docsScope(startUrl: string, pathPrefix?: string): (url: string) => boolean {
  const { pathname } = new URL(startUrl)
  const prefix = pathPrefix ? pathPrefix.replace(/^\/?/, "/") : pathname.replace(/[^/]*$/, "")
  const versions = pathPrefix ? [] : versionsOf(pathname)
  return (url) => isDocsPage(new URL(url).pathname, prefix, versions)
}

const versionForm =
  /^(?:v?\d+(?:\.(?:\d+|x))*|latest|stable|main|master|develop|dev|nightly|next|current)$/i
const languageForm = /^[a-z]{2}(?:[-_][a-z]{2,4})?$/i

interface Version {
  index: number
  form: RegExp
  part: string
}

/** Path segments that name a version or language; pages of other ones are left out. */
function versionsOf(path: string): Version[] {
  return path.split("/").flatMap((part, index) => {
    const form = versionForm.test(part)
      ? versionForm
      : languageForm.test(part)
        ? languageForm
        : null
    return form === null ? [] : [{ index, form, part }]
  })
}

const skippedFolders = new Set(["_modules", "_sources", "_static", "tags"])
const skippedPages = /^(?:genindex|search|py-modindex|modindex|print)(?:-\w+)?(?:\.html?)?\/?$/i

function isDocsPage(path: string, prefix: string, versions: Version[]): boolean {
  if (!path.startsWith(prefix)) return false
  const parts = path.split("/")
  if (parts.some((part) => skippedFolders.has(part))) return false
  if (skippedPages.test(path.slice(prefix.length))) return false
  return versions.every(({ index, form, part }) => {
    const other = parts[index] ?? ""
    return other === part || !form.test(other)
  })
}
