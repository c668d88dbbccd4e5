const escapes: Record<string, string> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
}

export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => escapes[character]!)
}

const style = `
:root { color-scheme: light dark; font: 1rem/1.5 system-ui, sans-serif; --line: light-dark(#d4d8dc, #3a3f45); --link: light-dark(#0b5c8a, #7cc4ee); --shade: light-dark(#f3f5f7, #1d2126) }
* { box-sizing: border-box }
body { max-width: 46rem; margin: 0 auto; padding: 1.5rem 1rem 4rem; background: light-dark(#fff, #14171a); color: light-dark(#1b1f23, #e6e8ea) }
body.narrow { max-width: 28rem }
a { color: var(--link) }
header a { display: inline-flex; align-items: center; gap: .5rem; font-weight: 700; text-decoration: none; color: inherit }
header img { width: 1.75rem; height: 1.75rem }
h1 { font-size: 1.75rem; line-height: 1.25; margin: 2rem 0 .75rem }
h2 { font-size: 1.15rem; margin: 2.25rem 0 .5rem }
label { display: block; margin: 1rem 0 .25rem; font-weight: 600 }
input, select { width: 100%; font: inherit; padding: .5rem; border: 1px solid var(--line); border-radius: .3rem; background: transparent; color: inherit }
button { font: inherit; padding: .5rem 1rem; margin-top: 1rem; cursor: pointer }
fieldset { border: 1px solid var(--line); border-radius: .3rem; margin: 1.5rem 0 0; padding: .25rem 1rem 1rem }
legend { font-weight: 600; padding: 0 .25rem }
.row { display: flex; flex-wrap: wrap; gap: .5rem }
.row input { flex: 1 1 14rem; width: auto; min-width: 0 }
.row button { margin: 0 }
.error { border-left: .25rem solid #c22; padding: .25rem .75rem }
pre, .key { background: var(--shade); border-radius: .3rem; padding: .75rem; white-space: pre-wrap; overflow-wrap: anywhere; margin: .5rem 0 }
.key { display: block; user-select: all }
ul { padding-left: 1.25rem }
li { margin: .2rem 0 }
details { border-top: 1px solid var(--line); padding: .4rem 0 }
summary { cursor: pointer }
table { border-collapse: collapse }
th, td { text-align: left; vertical-align: top; padding: .3rem .75rem .3rem 0; border-bottom: 1px solid var(--line); overflow-wrap: anywhere }
small { opacity: .8 }
hr { border: 0; border-top: 1px solid var(--line); margin: 2rem 0 }
`
const styleHash = new Bun.CryptoHasher("sha256").update(style).digest("base64")

/** No scripts, nothing from elsewhere, not inside another page. */
const policy = `default-src 'none'; style-src 'sha256-${styleHash}'; img-src 'self'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'`

export const pageHeaders = {
  "content-type": "text/html;charset=utf-8",
  "content-security-policy": policy,
  // A stricter policy would have browsers send forms with the origin "null".
  "referrer-policy": "same-origin",
}

/** A page of the service, for people. `base`: the path under which the service is reached. */
export function htmlPage(
  { title, base, narrow = false }: { title: string; base: string; narrow?: boolean },
  body: string,
): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(title)}</title>
<link rel="icon" type="image/svg+xml" href="${base}/favicon.ico">
<style>${style}</style>
</head>
<body${narrow ? ' class="narrow"' : ""}>
<header><a href="${base}/"><img src="${base}/favicon.ico" alt="">Trawl</a></header>
<main>
${body}
</main>
</body>
</html>
`
}

/** A net with its catch; a browser takes an SVG for its tab by the media type. */
export const icon = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="7" fill="#0b5c8a"/><path d="M4 8c8 3 16 3 24 0M6 9l10 18L26 9M11 10l5 17 5-17M8 14c5 2 11 2 16 0M11 19c3 1.3 7 1.3 10 0" fill="none" stroke="#fff" stroke-width="1.6" stroke-linecap="round"/><circle cx="16" cy="15.5" r="2.2" fill="#ffc857"/></svg>`
