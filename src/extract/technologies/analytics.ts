import { type TechnologyRule, technology } from "./rule.ts"

/** What measures visitors, tests variants, and watches errors. */
export const analytics: TechnologyRule[] = [
  technology("Google Analytics", "Analytics", "marketingplatform.google.com/about/analytics", {
    url: /(?:www|ssl)\.google-analytics\.com\/(?:analytics|ga|urchin|plugins|gtm\/js)|googletagmanager\.com\/gtag\/js\?id=(?:G|UA)-/,
    cookies: /^_ga(?:_\w+)?$|^_gid$|^__utm[abcz]$/,
    script:
      /gtag\(\s*['"]config['"]\s*,\s*['"](?:G|UA)-|_gaq\.push|ga\(\s*['"]create['"]|GoogleAnalyticsObject|google-analytics\.com\/(?:ga|analytics)\.js/,
  }),
  technology("Google Tag Manager", "Tag manager", "tagmanager.google.com", {
    url: /googletagmanager\.com\/(?:gtm\.js|ns\.html)/,
    script: /googletagmanager\.com\/gtm\.js|\bGTM-[A-Z0-9]{4,}/,
  }),
  technology("Matomo", "Analytics", "matomo.org", {
    url: /\/(?:matomo|piwik)\.(?:js|php)|cdn\.matomo\.cloud\//,
    cookies: /^_pk_(?:id|ses|ref)/,
    script: /_paq\.push\(\s*\[/,
  }),
  technology("Matomo Tag Manager", "Tag manager", "matomo.org", {
    script: /_mtm\.push\(/,
    url: /\/js\/container_\w+\.js/,
    implies: ["Matomo"],
  }),
  technology("Plausible", "Analytics", "plausible.io", {
    url: /plausible\.io\/js\/|\/plausible(?:\.[\w-]+)*\.js/,
    script: /window\.plausible\s*=/,
  }),
  technology("Fathom", "Analytics", "usefathom.com", { url: /cdn\.usefathom\.com\// }),
  technology("Umami", "Analytics", "umami.is", {
    url: /\/umami\.js|(?:analytics|cloud|eu)\.umami\.is\/script\.js/,
    dom: "script[data-website-id]",
  }),
  technology("Simple Analytics", "Analytics", "simpleanalytics.com", {
    url: /(?:scripts|queue)\.simpleanalyticscdn\.com|cdn\.simpleanalytics\.io/,
  }),
  technology("GoatCounter", "Analytics", "goatcounter.com", { url: /gc\.zgo\.at\/count/ }),
  technology("Pirsch", "Analytics", "pirsch.io", { url: /api\.pirsch\.io\/pirsch/ }),
  technology("etracker", "Analytics", "etracker.com", {
    url: /(?:code|static)\.etracker\.(?:com|de)/,
  }),
  technology("Econda", "Analytics", "econda.de", { url: /\/emos[23]?\.js|\.econda-monitor\.de/ }),
  technology("Mapp Intelligence", "Analytics", "mapp.com", {
    url: /\/webtrekk(?:_v\d)?\.(?:min\.)?js|\.webtrekk\.net|\.wt-eu02\.net/,
    cookies: /^wt3?_(?:eid|sid|rla)/,
  }),
  technology("Piano Analytics", "Analytics", "piano.io", {
    url: /tag\.aticdn\.net|\.xiti\.com\/|smarttag\.js/,
    cookies: /^(?:atidvisitor|atuserid|_pcid|pa_privacy)$/,
  }),
  technology("INFOnline", "Analytics", "infonline.de", {
    url: /script\.ioam\.de|\.iocnt\.net|data-[0-9a-f]+\.\w+\.\w+\/iomm/,
    script: /\biom\.c\(|IOMm\(/,
  }),
  technology("Hotjar", "Analytics", "hotjar.com", {
    url: /(?:static|script|vars)\.hotjar\.com/,
    script: /static\.hotjar\.com\/c\/hotjar-/,
    cookies: /^_hj/,
  }),
  technology("Microsoft Clarity", "Analytics", "clarity.microsoft.com", {
    url: /www\.clarity\.ms\/(?:tag|s)/,
    script: /clarity\.ms\/tag/,
    cookies: /^_cl(?:ck|sk)$/,
  }),
  technology("Mouseflow", "Analytics", "mouseflow.com", {
    url: /cdn\.mouseflow\.com/,
    script: /cdn\.mouseflow\.com/,
  }),
  technology("FullStory", "Analytics", "fullstory.com", {
    url: /(?:edge\.)?fullstory\.com\/s\/fs\.js/,
    script: /_fs_(?:host|org|namespace)/,
    cookies: /^fs_uid$/,
  }),
  technology("LogRocket", ["Analytics", "Monitoring"], "logrocket.com", {
    url: /cdn\.(?:logrocket|lr-ingest|lr-in)\.(?:io|com)/,
  }),
  technology("Smartlook", "Analytics", "smartlook.com", {
    url: /(?:web-sdk|rec)\.smartlook\.com/,
    script: /smartlook\.com\/recorder/,
  }),
  technology("Lucky Orange", "Analytics", "luckyorange.com", {
    url: /(?:d10lpsik1i8c69|tools)\.(?:cloudfront\.net|luckyorange\.com)/,
  }),
  technology("Crazy Egg", "Analytics", "crazyegg.com", {
    url: /script\.crazyegg\.com|dnn506yrbagrg\.cloudfront\.net/,
  }),
  technology("Contentsquare", "Analytics", "contentsquare.com", {
    url: /\.contentsquare\.(?:net|com)\//,
    cookies: /^_cs_(?:id|s|c|mk)$/,
  }),
  technology("Heap", "Analytics", "heap.io", {
    url: /cdn\.(?:us\.)?heap(?:-api|analytics)?\.(?:io|com)\/(?:js|config)|cdn\.heapanalytics\.com/,
    script: /heap\.load\(/,
  }),
  technology("Mixpanel", "Analytics", "mixpanel.com", {
    url: /cdn\.(?:mxpnl|mixpanel)\.com|api-js\.mixpanel\.com/,
    script: /mixpanel\.init\(/,
    cookies: /^mp_\w+_mixpanel$/,
  }),
  technology("Amplitude", "Analytics", "amplitude.com", {
    url: /cdn\.(?:eu\.)?amplitude\.com/,
    script: /amplitude\.(?:getInstance\(\)\.)?init\(/,
    cookies: /^amp(?:litude)?_(?:id_)?\w{6,}/,
  }),
  technology("Segment", "Analytics", "segment.com", {
    url: /cdn\.segment\.(?:com|io)\/(?:analytics|next-integrations)/,
    script: /cdn\.segment\.(?:com|io)\/analytics\.js|analytics\.SNIPPET_VERSION/,
    cookies: /^ajs_(?:anonymous|user)_id$/,
  }),
  technology("RudderStack", "Analytics", "rudderstack.com", { url: /cdn\.rudderlabs\.com/ }),
  technology("PostHog", "Analytics", "posthog.com", {
    url: /(?:app|eu|us)(?:-assets)?\.(?:i\.)?posthog\.com/,
    script: /posthog\.init\(/,
    cookies: /^ph_\w+_posthog$/,
  }),
  technology("Snowplow", "Analytics", "snowplow.io", {
    cookies: /^_sp_(?:id|ses)\./,
    script: /GlobalSnowplowNamespace/,
  }),
  technology("Tealium", "Tag manager", "tealium.com", {
    url: /tags\.tiqcdn\.(?:com|cn)\/utag|\/utag\.js/,
    cookies: /^utag_main$/,
  }),
  technology("Ensighten", "Tag manager", "ensighten.com", { url: /nexus\.ensighten\.com/ }),
  technology("Commanders Act", "Tag manager", "commandersact.com", {
    url: /cdn\.(?:tagcommander|trustcommander)\.(?:com|net)/,
    script: /\btc_vars\b/,
  }),
  technology("Adobe Analytics", "Analytics", "business.adobe.com/products/analytics", {
    url: /\/AppMeasurement(?:\.min)?\.js|\/s_code\.js|\.(?:omtrdc|2o7)\.net\//,
    cookies: /^(?:s_cc|s_vi|s_fid|AMCV_\S+|AMCVS_\S+)$/,
    script: /\bs_account\s*=/,
  }),
  technology("Adobe Experience Platform Launch", "Tag manager", "business.adobe.com", {
    url: /assets\.adobedtm\.com\//,
  }),
  technology("Adobe Target", "A/B testing", "business.adobe.com/products/target", {
    url: /\.tt\.omtrdc\.net|\/at\.js/,
    cookies: /^mbox(?:EdgeCluster)?$/,
  }),
  technology("Cloudflare Web Analytics", "Analytics", "cloudflare.com/web-analytics", {
    url: /static\.cloudflareinsights\.com\/beacon/,
  }),
  technology("Vercel Analytics", "Analytics", "vercel.com/analytics", {
    url: /\/_vercel\/insights\/script\.js|va\.vercel-scripts\.com/,
  }),
  technology("Jetpack Stats", ["Analytics", "WordPress plugin"], "jetpack.com", {
    url: /stats\.wp\.com\/(?:e-|w\.js|s-)|pixel\.wp\.com/,
  }),
  technology("Yandex Metrika", "Analytics", "metrika.yandex.com", {
    url: /mc\.yandex\.(?:ru|com)\/(?:metrika|watch)/,
    script: /mc\.yandex\.(?:ru|com)\/metrika/,
    cookies: /^_ym_(?:uid|d|isad)$/,
  }),
  technology("Baidu Tongji", "Analytics", "tongji.baidu.com", {
    url: /hm\.baidu\.com\/(?:hm|h)\.js/,
    script: /hm\.baidu\.com\/hm\.js/,
  }),
  technology("CNZZ", "Analytics", "umeng.com", { url: /\.cnzz\.com\// }),
  technology("LiveInternet", "Analytics", "liveinternet.ru", {
    url: /counter\.yadro\.ru/,
    script: /counter\.yadro\.ru/,
  }),
  technology("Top.Mail.Ru", "Analytics", "top.mail.ru", {
    url: /top-fwz1\.mail\.ru|top\.mail\.ru\/counter/,
    script: /top-fwz1\.mail\.ru/,
  }),
  technology("StatCounter", "Analytics", "statcounter.com", {
    url: /(?:www|c|secure)\.statcounter\.com\/counter/,
  }),
  technology("Chartbeat", "Analytics", "chartbeat.com", {
    url: /static\.chartbeat\.com/,
    script: /_sf_async_config/,
  }),
  technology("Parse.ly", "Analytics", "parse.ly", {
    url: /cdn\.parsely\.com/,
    meta: { "parsely-title": /./, "parsely-page": /./ },
  }),
  technology("comScore", "Analytics", "comscore.com", {
    url: /(?:sb|b)\.scorecardresearch\.com/,
    script: /_comscore\.push|scorecardresearch\.com/,
  }),
  technology("Quantcast Measure", "Analytics", "quantcast.com", {
    url: /(?:secure|edge)\.quantserve\.com/,
    script: /_qevents\.push/,
  }),
  technology("Nielsen", "Analytics", "nielsen.com", {
    url: /(?:secure|cdn)-?\w*\.imrworldwide\.com/,
  }),
  technology("Gemius", "Analytics", "gemius.com", {
    url: /\.hit\.gemius\.pl/,
    script: /pp_gemius_identifier|gemius_identifier/,
  }),
  technology("Kissmetrics", "Analytics", "kissmetrics.io", {
    url: /(?:i|scripts|trk)\.kissmetrics\.(?:com|io)/,
  }),
  technology("Woopra", "Analytics", "woopra.com", { url: /static\.woopra\.com/ }),
  technology("Pendo", "Analytics", "pendo.io", {
    url: /cdn\.(?:eu\.)?pendo\.io/,
    script: /pendo\.(?:io\/agent|initialize)/,
  }),
  technology("Clicky", "Analytics", "clicky.com", { url: /static\.getclicky\.com/ }),
  technology("Optimizely", "A/B testing", "optimizely.com", {
    url: /cdn\.optimizely\.com/,
    cookies: /^optimizely(?:EndUserId|Segments|Buckets)$/,
  }),
  technology("VWO", "A/B testing", "vwo.com", {
    url: /dev\.visualwebsiteoptimizer\.com/,
    script: /_vwo_code|_vis_opt_/,
    cookies: /^_vwo_(?:uuid|ds|sn)|^_vis_opt_/,
  }),
  technology("AB Tasty", "A/B testing", "abtasty.com", {
    url: /try\.abtasty\.com/,
    cookies: /^ABTasty(?:Session)?$/,
  }),
  technology("Kameleoon", "A/B testing", "kameleoon.com", { url: /\.kameleoon\.(?:eu|com|io)\// }),
  technology("Dynamic Yield", "A/B testing", "dynamicyield.com", {
    url: /(?:cdn|st|rcom)(?:-eu)?\.dynamicyield\.com/,
    cookies: /^_dyid$|^_dy_/,
  }),
  technology("Google Optimize", "A/B testing", "optimize.google.com", {
    url: /googleoptimize\.com\/optimize\.js/,
    script: /\bGTM-\w+['"]?\s*:\s*true/,
  }),
  technology("Convert", "A/B testing", "convert.com", { url: /cdn-\d\.convertexperiments\.com/ }),
  technology("LaunchDarkly", "A/B testing", "launchdarkly.com", {
    url: /(?:app|clientsdk)\.launchdarkly\.com/,
  }),
  technology("Sentry", "Monitoring", "sentry.io", {
    url: /(?:browser|js)\.sentry-cdn\.com|\.ingest(?:\.\w+)?\.sentry\.io/,
    script: /Sentry\.(?:init|onLoad)\(|Raven\.config\(/,
  }),
  technology("New Relic", "Monitoring", "newrelic.com", {
    url: /js-agent\.newrelic\.com|bam(?:-cell)?\.nr-data\.net/,
    script: /\bNREUM\b/,
  }),
  technology("Datadog", "Monitoring", "datadoghq.com", {
    url: /www\.datadoghq-browser-agent\.com/,
    script: /DD_RUM\b/,
    cookies: /^_dd_s$/,
  }),
  technology("Dynatrace", "Monitoring", "dynatrace.com", {
    url: /ruxitagent(?:js)?_|js-cdn\.dynatrace\.com/,
    cookies: /^(?:dtCookie|rxVisitor|dtPC|dtSa)$/,
  }),
  technology("AppDynamics", "Monitoring", "appdynamics.com", {
    url: /cdn\.appdynamics\.com\/adrum|\/adrum[-.]/,
    cookies: /^ADRUM_/,
  }),
  technology("Elastic APM", "Monitoring", "elastic.co/apm", {
    url: /elastic-apm-rum/,
    script: /elasticApm\.init\(/,
  }),
  technology("Application Insights", "Monitoring", "learn.microsoft.com/azure/azure-monitor", {
    url: /(?:js\.monitor\.azure|az416426\.vo\.msecnd)\.(?:com|net)\/scripts/,
    script: /appInsights(?:SDK)?\b.*instrumentationKey/,
    cookies: /^ai_(?:user|session)$/,
  }),
  technology("Bugsnag", "Monitoring", "bugsnag.com", {
    url: /d2wy8f7a9ursnm\.cloudfront\.net|\/bugsnag(?:-\d)?[\w.-]*\.js/,
  }),
  technology("Rollbar", "Monitoring", "rollbar.com", {
    url: /cdn\.rollbar\.com/,
    script: /_rollbarConfig/,
  }),
  technology("TrackJS", "Monitoring", "trackjs.com", { url: /cdn\.trackjs\.com/ }),
  technology("Raygun", "Monitoring", "raygun.com", { url: /cdn\.raygun\.io/ }),
  technology("SpeedCurve", "Monitoring", "speedcurve.com", { url: /cdn\.speedcurve\.com/ }),
  technology("Boomerang", "Monitoring", "github.com/akamai/boomerang", {
    url: /\/boomerang(?:-[\d.]+)?(?:\.min)?\.js/,
  }),
]
