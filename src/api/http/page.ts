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

/** The console's colours and shapes (src/console/style.css), for pages without scripts. */
const style = `
:root { color-scheme: light dark; font: 100%/1.55 system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", "DejaVu Sans", sans-serif; --ground: light-dark(#fbfbfa, #121518); --sheet: light-dark(#fff, #1a1e22); --shade: light-dark(#f0f2f3, #22272c); --line: light-dark(#dde1e4, #31373d); --edge: light-dark(#848d95, #7c858d); --ink: light-dark(#1a1f24, #e7eaec); --soft: light-dark(#59636c, #a2abb3); --brand: light-dark(#0b5c8a, #7cc4ee); --on-brand: light-dark(#fff, #0c1d28); --bad: light-dark(#a8241c, #ff9d94); --bad-tint: light-dark(#fdf0ef, #35201e); --tint: light-dark(#e8f2f8, #16303f) }
* { box-sizing: border-box }
body { max-width: 46rem; margin: 0 auto; padding: 1rem 1rem 4rem; background: var(--ground); color: var(--ink); font-size: .9375rem; overflow-wrap: break-word }
body.narrow { max-width: 30rem }
a { color: var(--brand); text-underline-offset: .18em }
:focus-visible { outline: 2px solid var(--brand); outline-offset: 2px; border-radius: .2rem }
header a { display: inline-flex; align-items: center; gap: .6rem; font-size: 1.125rem; font-weight: 700; text-decoration: none; color: inherit }
header img { width: 1.75rem; height: 1.75rem }
h1 { font-size: clamp(1.75rem, 1.4rem + 1.6vw, 2.375rem); line-height: 1.2; letter-spacing: -.015em; margin: 2rem 0 .75rem }
h2 { font-size: 1.25rem; line-height: 1.2; margin: 2.25rem 0 .5rem }
label { display: block; margin: 1rem 0 .35rem; font-weight: 600 }
input, select { width: 100%; min-height: 2.625rem; font: inherit; padding: .5rem .75rem; border: 1px solid var(--edge); border-radius: .5rem; background: var(--sheet); color: inherit }
button { font: inherit; font-weight: 600; min-height: 2.625rem; padding: .5rem 1.1rem; border: 1px solid var(--line); border-radius: .5rem; background: var(--sheet); color: inherit; cursor: pointer }
button:hover { border-color: var(--edge) }
button.main { border-color: transparent; background: var(--brand); color: var(--on-brand) }
.row { display: flex; flex-wrap: wrap; gap: .6rem; margin: 1.5rem 0 0 }
fieldset, .facts { border: 1px solid var(--line); border-radius: .5rem; background: var(--sheet); margin: 1.5rem 0 0; padding: .25rem 1.1rem 1.1rem }
legend { font-weight: 600; padding: 0 .35rem; margin-left: -.35rem }
.facts { margin: 1rem 0; padding: .35rem 1.1rem }
.facts div { display: grid; grid-template-columns: 8rem minmax(0, 1fr); gap: .75rem; padding: .4rem 0 }
.facts div + div { border-top: 1px solid var(--line) }
.facts dt, small { color: var(--soft) }
.facts dd { margin: 0; overflow-wrap: anywhere }
.error, [role=status] { padding: .7rem 1rem; border-radius: .5rem; background: var(--tint) }
.error { background: var(--bad-tint); color: var(--bad) }
code, pre { font-family: ui-monospace, "SF Mono", "Cascadia Mono", "DejaVu Sans Mono", Menlo, Consolas, monospace; font-size: .85em; overflow-wrap: anywhere }
pre, .key { background: var(--shade); border-radius: .5rem; padding: .9rem 1rem; white-space: pre-wrap; margin: .5rem 0 }
.key { display: block; user-select: all }
ul { padding-left: 1.25rem }
li { margin: .2rem 0 }
table { border-collapse: collapse }
th, td { text-align: left; vertical-align: top; padding: .3rem .75rem .3rem 0; border-bottom: 1px solid var(--line); overflow-wrap: anywhere }
hr { border: 0; border-top: 1px solid var(--line); margin: 2rem 0 }
pre code { font-size: 1em }
h3 { font-size: 1.0625rem; line-height: 1.3; margin: 1.75rem 0 .4rem }
body.guide { max-width: 82rem }
.guide > header { display: flex; flex-wrap: wrap; gap: .6rem 2rem; justify-content: space-between; align-items: center }
.guide form { flex: 0 1 22rem; margin: 0 }
.columns { display: grid; gap: 0 2.5rem; grid-template-columns: minmax(0, 1fr) }
.columns nav ul { list-style: none; padding: 0; margin: .25rem 0 1rem }
.columns nav a { display: inline-block; padding: .15rem 0; color: inherit; text-decoration: none }
.columns nav a:hover { text-decoration: underline }
.columns nav a[aria-current] { color: var(--brand); font-weight: 600 }
.columns nav > p { margin: 1rem 0 0; color: var(--soft); font-weight: 600 }
.columns table { display: block; overflow-x: auto; max-width: 100% }
.columns td, .columns th { overflow-wrap: normal }
.columns td code { overflow-wrap: anywhere }
@media (min-width: 52rem) { .columns td:first-child { min-width: 12.5rem } .columns { grid-template-columns: 13rem minmax(0, 1fr) } .columns nav { grid-row: 1; grid-column: 1 } .columns .pages { position: sticky; top: 0; align-self: start; max-height: 100vh; overflow-y: auto; padding-bottom: 2rem } .columns .contents { display: none } .to-pages { display: none } }
@media (min-width: 72rem) { .columns { grid-template-columns: 13rem minmax(0, 1fr) 13rem } .columns .contents { display: block; grid-column: 3; position: sticky; top: 0; align-self: start; max-height: 100vh; overflow-y: auto } }
@media (max-width: 52rem) { .columns main { order: -1 } }
`
const styleHash = new Bun.CryptoHasher("sha256").update(style).digest("base64")

/** Copies the text of an element. Only pages with such a button include it. */
const copyScript = `for(const button of document.querySelectorAll("[data-copy]")){button.hidden=false;button.onclick=async()=>{const text=document.getElementById(button.dataset.copy).textContent;let isCopied=true;try{await navigator.clipboard.writeText(text)}catch{getSelection().selectAllChildren(document.getElementById(button.dataset.copy));isCopied=document.execCommand("copy")}button.textContent=isCopied?"Copied":"Press Ctrl+C"}}`
const copyHash = new Bun.CryptoHasher("sha256").update(copyScript).digest("base64")

/** Allows only that script and this server's images, and no framing. */
const policy = `default-src 'none'; script-src 'sha256-${copyHash}'; style-src 'sha256-${styleHash}'; img-src 'self'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'`

export const pageHeaders = {
  "content-type": "text/html;charset=utf-8",
  "content-security-policy": policy,
  // With a stricter policy, browsers would send forms with the origin "null".
  "referrer-policy": "same-origin",
}

interface PageOptions {
  title: string
  /** Public path prefix of the service. */
  base: string
  narrow?: boolean
  /** HTML around the text of a guide page. */
  guide?: { search: string; navigation: string }
}

/** Returns an HTML page without scripts. */
export function htmlPage(
  { title, base, narrow = false, guide }: PageOptions,
  body: string,
): string {
  const main = `<main>
${body}
</main>`
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(title)}</title>
<link rel="icon" type="image/svg+xml" href="${base}/favicon.ico">
<style>${style}</style>
</head>
<body${guide ? ' class="guide"' : narrow ? ' class="narrow"' : ""}>
<header><a href="${base}/"><img src="${base}/favicon.ico" alt="">Trawl</a>${guide?.search ?? ""}</header>
${guide ? `<div class="columns">${main}${guide.navigation}</div>` : main}${body.includes("data-copy=") ? `\n<script>${copyScript}</script>` : ""}
</body>
</html>
`
}

/** The icon: a net with its catch. */
export const icon = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="7" fill="#0b5c8a"/><path d="M4 8c8 3 16 3 24 0M6 9l10 18L26 9M11 10l5 17 5-17M8 14c5 2 11 2 16 0M11 19c3 1.3 7 1.3 10 0" fill="none" stroke="#fff" stroke-width="1.6" stroke-linecap="round"/><circle cx="16" cy="15.5" r="2.2" fill="#ffc857"/></svg>`
