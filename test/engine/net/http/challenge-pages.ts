/** Challenges as their vendors serve them, and functions that build such pages. */
export interface Answered {
  status?: number
  headers?: Record<string, string>
  url?: string
  html?: string
}

export const page = (title: string, body: string, head = "") =>
  `<!DOCTYPE html><html lang="en"><head><meta charset="utf-8"><title>${title}</title>${head}</head><body>${body}</body></html>`

/** Shortened; host names are unchanged if they matter. */
export const challenges: [vendor: string, what: string, answered: Answered][] = [
  [
    "Cloudflare",
    "a managed challenge in German",
    {
      status: 403,
      html: page(
        "Nur einen Moment…",
        '<div class="main-content"><noscript><span id="challenge-error-text">Enable JavaScript and cookies to continue</span></noscript></div><script>(function(){window._cf_chl_opt={cvId:"3"}})();</script>',
      ),
    },
  ],
  ["Cloudflare", "a plain refusal", { status: 403, html: "error code: 1020" }],
  [
    "Cloudflare",
    "a blocked address",
    {
      status: 403,
      headers: { server: "cloudflare" },
      html: page(
        "Attention Required! | Cloudflare",
        "<h1>Sorry, you have been blocked</h1><p>You are unable to access site.test</p>",
      ),
    },
  ],
  [
    "Cloudflare",
    "a refusal for who asks for JSON",
    {
      status: 403,
      headers: { "content-type": "application/problem+json" },
      html: '{"type":"https://developers.cloudflare.com/support/troubleshooting/http-status-codes/cloudflare-1xxx-errors/error-1010/","title":"Error 1010: Access denied","status":403,"error_code":1010,"error_name":"browser_signature_banned","error_category":"access_denied","cloudflare_error":true,"retryable":false}',
    },
  ],
  [
    "Cloudflare",
    "a refusal for who asks for Markdown",
    {
      status: 403,
      headers: { "content-type": "text/markdown" },
      html: "---\nerror_code: 1020\nstatus: 403\ncloudflare_error: true\n---\n# Error 1020: Access denied\n",
    },
  ],
  [
    "Cloudflare",
    "a price for crawlers",
    { status: 402, headers: { "crawler-price": "USD 0.01", server: "cloudflare" } },
  ],
  [
    "Cloudflare",
    "a closed door for crawlers",
    { status: 403, headers: { "crawler-error": "CrawlerForbidden" } },
  ],
  [
    "Cloudflare Turnstile",
    "a site's own page around a box, in Google's words",
    {
      status: 403,
      html: page(
        "Verification required",
        '<p>Our systems have detected unusual traffic from your computer network.</p><div class="cf-turnstile" data-sitekey="0x4AAA"></div><script src="https://challenges.cloudflare.com/turnstile/v0/api.js"></script>',
      ),
    },
  ],
  [
    "DataDome",
    "its frame",
    {
      status: 403,
      headers: { server: "DataDome" },
      html: page(
        "site.test",
        "<p id='cmsg'>Please enable JS and disable any ad blocker</p><script>var dd={'rt':'i','cid':'A','hsh':'B','host':'geo.captcha-delivery.com'}</script>",
      ),
    },
  ],
  ["DataDome", "its header", { status: 403, headers: { "x-dd-b": "1" } }],
  [
    "DataDome",
    "JSON for scripts",
    {
      status: 403,
      headers: { "content-type": "application/json" },
      html: '{"url":"https://geo.captcha-delivery.com/interstitial/?initialCid=A&hash=B&s=1"}',
    },
  ],
  [
    "HUMAN (PerimeterX)",
    "press and hold",
    {
      html: page(
        "Robot or human?",
        '<div id="px-captcha-wrapper"><p>Press &amp; Hold the button</p></div>',
      ),
    },
  ],
  [
    "HUMAN (PerimeterX)",
    "JSON",
    {
      status: 412,
      headers: { "content-type": "application/json" },
      html: '{"appId":"PXu6b0qd2S","jsClientSrc":"/px/PXu6b0qd2S/init.js","uuid":"a","vid":""}',
    },
  ],
  ["HUMAN (PerimeterX)", "its header", { status: 403, headers: { "x-px-blocked": "1" } }],
  [
    "Akamai",
    "its refusal",
    {
      status: 403,
      headers: { server: "AkamaiGHost" },
      html: '<HTML><HEAD><TITLE>Access Denied</TITLE></HEAD><BODY><H1>Access Denied</H1> You don\'t have permission to access "http&#58;&#47;&#47;site&#46;test&#47;" on this server.<P> Reference&#32;&#35;18&#46;9d4f6cc1</BODY></HTML>',
    },
  ],
  [
    "Akamai",
    "its refusal to scripts",
    { status: 403, headers: { server: "AkamaiGHost" }, html: '{"error":"forbidden"}' },
  ],
  [
    "Akamai",
    "a challenge in a frame",
    {
      html: page(
        " ",
        '<div id="sec-if-cpt-container" role="main"><div id="sec-text-container"></div><p>Powered and protected by</p></div>',
      ),
    },
  ],
  [
    "Akamai",
    "a challenge for scripts",
    {
      status: 428,
      headers: { "content-type": "application/json" },
      html: '{"sec-cp-challenge":"true","provider":"crypto","chlg_duration":30}',
    },
  ],
  [
    "Akamai",
    "a page that loads itself again",
    {
      html: `<html><head><meta http-equiv="refresh" content="5; URL='/?bm-verify=AAQAAAAJ'" /></head><body></body></html>`,
    },
  ],
  [
    "Imperva",
    "its incident",
    {
      status: 403,
      html: '<html><head><META NAME="robots" CONTENT="noindex,nofollow"></head><body><iframe id="main-iframe" src="/_Incapsula_Resource?SWUDNSAI=31&xinfo=1&incident_id=1-2&edet=12">Request unsuccessful. Incapsula incident ID: 1-2</iframe></body></html>',
    },
  ],
  [
    "Kasada",
    "its script",
    {
      status: 429,
      html: '<!DOCTYPE html><html><head></head><body><script>window.KPSDK={};KPSDK.now=1;</script><script src="/149e9513/2d206a39/ips.js?KP_UIDz=a&x-kpsdk-im=b"></script></body></html>',
    },
  ],
  ["Kasada", "its header", { status: 429, headers: { "x-kpsdk-ct": "0a1b" } }],
  ["AWS WAF", "nothing at all", { status: 202, headers: { "x-amzn-waf-action": "challenge" } }],
  ["AWS WAF", "nothing without its header", { status: 202, headers: { server: "CloudFront" } }],
  [
    "AWS WAF",
    "its puzzle",
    {
      status: 405,
      html: page(
        "Human Verification",
        '<div id="captcha-container"></div>',
        '<script>window.gokuProps={"key":"A"}</script><script src="https://a.b.captcha.awswaf.com/captcha.js"></script>',
      ),
    },
  ],
  [
    "Azure",
    "its refusal",
    {
      status: 403,
      headers: { "x-azure-ref": "0abc" },
      html: "<h2>Our services aren't available right now</h2><p>The request is blocked.</p>",
    },
  ],
  [
    "Radware",
    "hCaptcha's box on its page",
    {
      html: page(
        "Radware Bot Manager Captcha",
        '<form method=POST><div class="h-captcha" data-sitekey="ae73"></div><input type="submit"></form>',
      ),
    },
  ],
  [
    "Radware",
    "the address it sends to",
    { url: "https://validate.perfdrive.com/fb803c746e9148689b3984a31fccd902/?ssa=1" },
  ],
  [
    "F5",
    "its refusal",
    {
      html: "<html><head><title>Request Rejected</title></head><body>The requested URL was rejected. Please consult with your administrator.<br><br>Your support ID is: 1234</body></html>",
    },
  ],
  [
    "F5",
    "its check",
    {
      html: '<html><head><script>window["bobcmn"]="10111";</script><script src="/TSPD/08e8?type=9"></script></head><body><noscript>Please enable JavaScript to view the page content.<br/>Your support ID is: 1.</noscript></body></html>',
    },
  ],
  [
    "Fastly",
    "its check",
    {
      html: page(
        "Client Challenge",
        '<div id="loading-error">JavaScript is disabled</div>',
        '<script src="/_fs-ch-1T1wmsGaOgGaSxcX/script.js"></script>',
      ),
    },
  ],
  [
    "Sucuri",
    "its check",
    {
      html: "<html><title>You are being redirected...</title><noscript>Javascript is required.</noscript><script>var s={},u,c,S='cz0i';sucuri_cloudproxy_js='';</script></html>",
    },
  ],
  [
    "Sucuri",
    "its refusal",
    {
      status: 403,
      html: page(
        "Sucuri WebSite Firewall - Access Denied",
        "<h1>Access Denied - Sucuri Website Firewall</h1>",
      ),
    },
  ],
  [
    "DDoS-Guard",
    "its check",
    {
      status: 403,
      headers: { server: "ddos-guard" },
      html: page(
        "DDoS-Guard",
        "<h1>Checking your browser before accessing site.test</h1>",
        '<script src="/.well-known/ddos-guard/js-challenge/index.js"></script>',
      ),
    },
  ],
  [
    "Bunny Shield",
    "its check",
    {
      html: page(
        "Establishing a secure connection ...",
        '<div class="body"><h1>Hold tight</h1><h2>We are establishing a secure connection.</h2></div>',
        '<script src="/.bunny-shield/assets/shield-challenge.js"></script>',
      ),
    },
  ],
  ["Vercel", "its header", { status: 429, headers: { "x-vercel-mitigated": "challenge" } }],
  [
    "Vercel",
    "its checkpoint",
    {
      status: 429,
      html: page("Vercel Security Checkpoint", "<p>We're verifying your browser</p>"),
    },
  ],
  [
    "Anubis",
    "its check",
    {
      html: page(
        "Making sure you&#39;re not a bot!",
        "<h1>Making sure you&#39;re not a bot!</h1>",
        '<script id="anubis_version" type="application/json">"v1.21.3"</script>',
      ),
    },
  ],
  [
    "SiteGround",
    "a page that leads to it",
    {
      status: 202,
      html: '<html><head><link rel="icon" href="data:;"><meta http-equiv="refresh" content="0;/.well-known/sgcaptcha/?r=%2F&y=ipc:1.2.3.4:1"></meta></head></html>',
    },
  ],
  [
    "Imunify360",
    "JSON",
    {
      headers: { "content-type": "application/json" },
      html: '{"message":"Access denied by Imunify360 bot-protection. IPs used for automation should be whitelisted"}',
    },
  ],
  ["Tencent EdgeOne", "its status", { status: 567, html: page("567", "<p>567</p>") }],
  [
    "Google",
    "its page for robots",
    {
      status: 429,
      url: "https://www.google.com/search?q=a",
      html: page(
        "https://www.google.com/search?q=a",
        '<form id="captcha-form" action="index"><div id="recaptcha" class="g-recaptcha"></div></form><div>Our systems have detected unusual traffic from your computer network.</div>',
      ),
    },
  ],
  [
    "Indeed",
    "its way to a login",
    {
      status: 401,
      html: page(
        "Authenticating...",
        "Redirecting to login...",
        '<script>var target="https://www.indeed.com/account/login?branding=login-required&from=bot-detection-anonymous&continue="</script>',
      ),
    },
  ],
  [
    "Reddit",
    "its check",
    {
      html: page(
        "Reddit - Please wait for verification",
        '<form hidden method="GET"><input type="hidden" name="js_challenge" value="1"/></form>',
      ),
    },
  ],
  ["Queue-it", "its waiting room", { url: "https://shop.queue-it.net/?c=shop&e=sale" }],
  [
    "reCAPTCHA",
    "its box on a page of its own",
    {
      html: page("example.test", '<form><div class="g-recaptcha" data-sitekey="6Lc"></div></form>'),
    },
  ],
  [
    "hCaptcha",
    "its box on a page of its own",
    { status: 403, html: page("example.test", '<div class="h-captcha" data-sitekey="1"></div>') },
  ],
  [
    "Arkose Labs",
    "its box",
    { html: page("Verify", '<script src="https://client-api.arkoselabs.com/v2/api.js"></script>') },
  ],
]
