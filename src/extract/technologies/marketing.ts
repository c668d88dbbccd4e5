import { type TechnologyRule, technology } from "./rule.ts"

/** Advertising, marketing, consent, chat. */
export const marketing: TechnologyRule[] = [
  technology("Google AdSense", "Advertising", "adsense.google.com", {
    url: /pagead2\.googlesyndication\.com\/pagead\/(?:js\/adsbygoogle|show_ads)|\/pagead\/js\/adsbygoogle\.js/,
    meta: { "google-adsense-account": /^ca-pub-/ },
    dom: "ins.adsbygoogle",
  }),
  technology("Google Ad Manager", "Advertising", "admanager.google.com", {
    url: /securepubads\.g\.doubleclick\.net\/tag\/js\/gpt|www\.googletagservices\.com\/tag\/js\/gpt/,
    script: /googletag\.(?:cmd|defineSlot|pubads)/,
  }),
  technology("Google Ads", "Advertising", "ads.google.com", {
    url: /googletagmanager\.com\/gtag\/js\?id=AW-|www\.googleadservices\.com\/pagead\/conversion|googleads\.g\.doubleclick\.net\/pagead\/viewthroughconversion/,
    script: /gtag\(\s*['"]config['"]\s*,\s*['"]AW-|google_conversion_id/,
    cookies: /^_gcl_au$/,
  }),
  technology("Campaign Manager 360", "Advertising", "marketingplatform.google.com", {
    url: /\d+\.fls\.doubleclick\.net/,
    script: /\d+\.fls\.doubleclick\.net|gtag\(\s*['"]config['"]\s*,\s*['"]DC-/,
  }),
  technology("Meta Pixel", ["Advertising", "Analytics"], "facebook.com/business", {
    url: /connect\.facebook\.net\/[^"'\s]*(?:fbevents|signals)|facebook\.com\/tr\?id=/,
    script: /connect\.facebook\.net\/[^"']*fbevents\.js|fbq\(\s*['"]init['"]/,
    cookies: /^_fbp$/,
  }),
  technology("Facebook SDK", "Widgets", "developers.facebook.com", {
    url: /connect\.facebook\.net\/\w+\/(?:sdk|all)(?:\/|\.)/,
    script: /connect\.facebook\.net\/\w+\/(?:sdk|all)/,
    dom: "#fb-root, .fb-like",
  }),
  technology("LinkedIn Insight Tag", ["Advertising", "Analytics"], "business.linkedin.com", {
    url: /snap\.licdn\.com\/li\.lms-analytics|px\.ads\.linkedin\.com/,
    script: /_linkedin_(?:data_)?partner_id/,
  }),
  technology("X Pixel", "Advertising", "business.x.com", {
    url: /static\.ads-twitter\.com\/(?:uwt|oct)/,
    script: /static\.ads-twitter\.com\/uwt\.js|twq\(\s*['"](?:init|config)/,
  }),
  technology("TikTok Pixel", "Advertising", "ads.tiktok.com", {
    url: /analytics\.tiktok\.com\/i18n\/pixel/,
    script: /analytics\.tiktok\.com|ttq\.load\(/,
    cookies: /^_ttp$/,
  }),
  technology("Pinterest Tag", "Advertising", "ads.pinterest.com", {
    url: /s\.pinimg\.com\/ct\/|ct\.pinterest\.com/,
    script: /pintrk\(\s*['"]load/,
    cookies: /^_pin_unauth$/,
  }),
  technology("Snap Pixel", "Advertising", "businesshelp.snapchat.com", {
    url: /sc-static\.net\/scevent/,
    script: /snaptr\(\s*['"]init/,
  }),
  technology("Reddit Pixel", "Advertising", "business.reddithelp.com", {
    url: /www\.redditstatic\.com\/ads\/pixel/,
    script: /rdt\(\s*['"]init/,
    cookies: /^_rdt_uuid$/,
  }),
  technology("Quora Pixel", "Advertising", "business.quora.com", {
    url: /a\.quora\.com\/qevents/,
    script: /qp\(\s*['"]init/,
  }),
  technology("Microsoft Advertising", "Advertising", "about.ads.microsoft.com", {
    url: /bat\.bing\.(?:com|net)\/(?:bat|p\/)/,
    script: /bat\.bing\.com\/bat\.js/,
    cookies: /^_uet(?:sid|vid)$/,
  }),
  technology("Amazon Ads", "Advertising", "advertising.amazon.com", {
    url: /c\.amazon-adsystem\.com|aax\.amazon-adsystem\.com|ws-\w+\.amazon-adsystem\.com/,
  }),
  technology("Criteo", "Advertising", "criteo.com", {
    url: /static\.criteo\.net|dynamic\.criteo\.com|\.criteo\.com\/js\//,
  }),
  technology("Taboola", "Advertising", "taboola.com", {
    url: /cdn\.taboola\.com|trc\.taboola\.com/,
    script: /_taboola\.push|cdn\.taboola\.com/,
  }),
  technology("Outbrain", "Advertising", "outbrain.com", {
    url: /widgets\.outbrain\.com|amplify\.outbrain\.com/,
    dom: ".OUTBRAIN",
  }),
  technology("Teads", "Advertising", "teads.com", { url: /\.teads\.tv\// }),
  technology("Prebid", "Advertising", "prebid.org", {
    url: /\/prebid[\w.-]*\.js/,
    script: /\bpbjs\.que\b/,
  }),
  technology("Index Exchange", "Advertising", "indexexchange.com", { url: /js-sec\.indexww\.com/ }),
  technology("Rubicon Project", "Advertising", "magnite.com", { url: /\.rubiconproject\.com\// }),
  technology("PubMatic", "Advertising", "pubmatic.com", { url: /\.pubmatic\.com\// }),
  technology("OpenX", "Advertising", "openx.com", { url: /\.openx\.net\// }),
  technology("Xandr", "Advertising", "xandr.com", {
    url: /acdn\.(?:adnxs|adnxs-simple)\.com|ib\.adnxs\.com/,
  }),
  technology("The Trade Desk", "Advertising", "thetradedesk.com", {
    url: /js\.adsrvr\.org|insight\.adsrvr\.org/,
  }),
  technology("AdRoll", "Advertising", "adroll.com", {
    url: /s\.adroll\.com|d\.adroll\.com/,
    script: /adroll_adv_id/,
  }),
  technology("Mediavine", "Advertising", "mediavine.com", { url: /scripts\.mediavine\.com/ }),
  technology("Raptive", "Advertising", "raptive.com", {
    url: /ads\.adthrive\.com/,
    script: /adthrive\b/,
  }),
  technology("Ezoic", "Advertising", "ezoic.com", {
    url: /(?:www|go)\.ezo(?:js|dn|ic)\.(?:com|net)|\/ezoic\//,
    cookies: /^ezo(?:adgid|ref|pvc|vid|ux\w*)_?\d*$/,
  }),
  technology("Monetag", "Advertising", "monetag.com", {
    url: /propu\.sh|propellerads|zeroredirect/,
  }),
  technology("BuySellAds", "Advertising", "buysellads.com", {
    url: /(?:cdn4|s3)\.buysellads\.(?:net|com)|srv\.buysellads\.com/,
  }),
  technology("Carbon Ads", "Advertising", "carbonads.net", { url: /cdn\.carbonads\.com/ }),
  technology("AWIN", "Advertising", "awin.com", { url: /www\.dwin1\.com/ }),
  technology("Skimlinks", "Advertising", "skimlinks.com", { url: /s\.skimresources\.com/ }),
  technology("Viglink", "Advertising", "sovrn.com", { url: /cdn\.viglink\.com/ }),
  technology("Yandex Direct", "Advertising", "direct.yandex.com", {
    url: /(?:an\.)?yandex\.ru\/(?:ads\/system\/context|system\/context)/,
    script: /Ya\.(?:Direct|adfoxCode|Context)/,
  }),
  technology("VK Pixel", "Advertising", "vk.com", {
    url: /vk\.com\/(?:js\/api\/openapi|rtrg)/,
    script: /VK\.Retargeting\.Init/,
  }),
  technology("HubSpot", ["Marketing", "Analytics"], "hubspot.com", {
    url: /js(?:-\w+)?\.hs-(?:scripts|analytics|banner)\.(?:com|net)|js(?:-\w+)?\.hsforms\.net|js\.hubspot\.com|js\.usemessages\.com/,
    cookies: /^(?:hubspotutk|__hs(?:tc|sc|src))$/,
  }),
  technology("Marketo", "Marketing", "business.adobe.com/products/marketo", {
    url: /munchkin\.marketo\.net|app-\w+\.marketo\.com\/js\/forms2/,
    cookies: /^_mkto_trk$/,
  }),
  technology("Pardot", "Marketing", "salesforce.com/products/marketing-cloud", {
    url: /pi\.pardot\.com\/(?:pd|analytics)|\.pardot\.com\//,
    script: /piAId\s*=/,
    cookies: /^visitor_id\d+$/,
  }),
  technology("Eloqua", "Marketing", "oracle.com/cx/marketing/automation", {
    url: /img\.en25\.com\/i\/elqCfg|\.eloqua\.com\//,
    script: /_elqQ\.push/,
    cookies: /^ELOQUA$/,
  }),
  technology("Salesforce Marketing Cloud", "Marketing", "salesforce.com", {
    url: /\.collect\.igodigital\.com|\.exacttarget\.com|cdn\.evgnet\.com/,
  }),
  technology("Mailchimp", "Marketing", "mailchimp.com", {
    url: /(?:chimpstatic|mailchimp|mcusercontent)\.com\/|\.list-manage\.com\//,
    html: /action="[^"]*\.list-manage\d?\.com\/subscribe/,
    dom: "#mc_embed_signup, .mc4wp-form",
  }),
  technology("Klaviyo", "Marketing", "klaviyo.com", {
    url: /static(?:-tracking|-forms)?\.klaviyo\.com|a\.klaviyo\.com/,
    cookies: /^__kla_id$/,
  }),
  technology("ActiveCampaign", "Marketing", "activecampaign.com", {
    url: /(?:trackcmp|diffuser-cdn\.app-us1|\.activehosted)\.(?:net|com)/,
    script: /vgo\(\s*['"]setAccount|trackcmp\.net/,
  }),
  technology("Brevo", "Marketing", "brevo.com", {
    url: /sibautomation\.com|sibforms\.com|cdn\.brevo\.com|conversations-widget\.(?:brevo|sendinblue)\.com/,
  }),
  technology("CleverReach", "Marketing", "cleverreach.com", {
    url: /\.cleverreach\.com\//,
    html: /action="[^"]*\.cleverreach\.com\//,
  }),
  technology("GetResponse", "Marketing", "getresponse.com", {
    url: /\.getresponse\.com\/|us-an\.gr-cdn\.com/,
  }),
  technology("ConvertKit", "Marketing", "kit.com", {
    url: /(?:f|app)\.convertkit\.com|\.kit\.com\//,
  }),
  technology("MailerLite", "Marketing", "mailerlite.com", {
    url: /(?:assets|static)\.mailerlite\.com|groot\.mailerlite\.com/,
    script: /ml\(\s*['"]account/,
  }),
  technology("Drip", "Marketing", "drip.com", { url: /tag\.getdrip\.com/ }),
  technology("Omnisend", "Marketing", "omnisend.com", { url: /omnisrc\.com|omnisnippet\d\.com/ }),
  technology("Customer.io", "Marketing", "customer.io", { url: /assets\.customer\.io/ }),
  technology("Iterable", "Marketing", "iterable.com", { url: /js\.iterable\.com/ }),
  technology("Braze", "Marketing", "braze.com", {
    url: /js\.appboycdn\.com/,
    script: /braze\.initialize|appboy\.initialize/,
  }),
  technology("Emarsys", "Marketing", "emarsys.com", {
    url: /cdn\.scarabresearch\.com|\.emarsys\.net/,
  }),
  technology("Bloomreach", "Marketing", "bloomreach.com", {
    url: /\.exponea\.com\/|cdn\.brcdn\.com/,
  }),
  technology("Insider", "Marketing", "useinsider.com", { url: /\.useinsider\.com\// }),
  technology("OneSignal", "Marketing", "onesignal.com", {
    url: /cdn\.onesignal\.com|onesignal\.com\/sdks/,
    script: /OneSignal(?:Deferred)?\.(?:push|init)/,
  }),
  technology("CleverPush", "Marketing", "cleverpush.com", { url: /static\.cleverpush\.com/ }),
  technology("PushEngage", "Marketing", "pushengage.com", { url: /clientcdn\.pushengage\.com/ }),
  technology("Airship", "Marketing", "airship.com", { url: /aswpsdk(?:us|eu)?\.com/ }),
  technology("OptinMonster", "Marketing", "optinmonster.com", {
    url: /a\.(?:omappapi|opmnstr)\.com|a\.optmn?stra?\.com/,
  }),
  technology("Sumo", "Marketing", "sumo.com", { url: /load\.sumo(?:me)?\.com/ }),
  technology("Privy", "Marketing", "privy.com", { url: /widget\.privy\.com/ }),
  technology("Sleeknote", "Marketing", "sleeknote.com", {
    url: /sleeknotecustomerscripts\.sleeknote\.com/,
  }),
  technology("Leadfeeder", "Marketing", "dealfront.com", {
    url: /sc\.lfeeder\.com/,
    script: /sc\.lfeeder\.com|ldfdr/,
  }),
  technology("ZoomInfo", "Marketing", "zoominfo.com", {
    url: /ws\.zoominfo\.com|js\.zi-scripts\.com/,
  }),
  technology("6sense", "Marketing", "6sense.com", { url: /j\.6sc\.co/ }),
  technology("Demandbase", "Marketing", "demandbase.com", {
    url: /tag\.demandbase\.com|scripts\.demandbase\.com/,
  }),
  technology("Clearbit", "Marketing", "clearbit.com", {
    url: /(?:tag|x|reveal)\.clearbit(?:js|scripts)?\.com/,
  }),
  technology("OneTrust", "Consent", "onetrust.com", {
    url: /cdn\.cookielaw\.org|otSDKStub\.js|optanon\.blob\.core|cookie-cdn\.cookiepro\.com/,
    cookies: /^(?:OptanonConsent|OptanonAlertBoxClosed)$/,
  }),
  technology("Cookiebot", "Consent", "cookiebot.com", {
    url: /consent\.cookiebot\.(?:com|eu)/,
    cookies: /^CookieConsent$/,
    dom: "script#Cookiebot",
  }),
  technology("Usercentrics", "Consent", "usercentrics.com", {
    url: /(?:app|web\.cmp|privacy-proxy)\.usercentrics\.eu/,
  }),
  technology("Didomi", "Consent", "didomi.io", {
    url: /sdk\.privacy-center\.org/,
    script: /sdk\.privacy-center\.org|didomiConfig/,
    cookies: /^didomi_token$/,
  }),
  technology("Quantcast Choice", "Consent", "quantcast.com", {
    url: /(?:quantcast\.mgr\.consensu\.org|cmp\.(?:quantcast|inmobi)\.com)/,
    script: /quantcast\.mgr\.consensu\.org|cmp\.quantcast\.com/,
  }),
  technology("Sourcepoint", "Consent", "sourcepoint.com", {
    url: /(?:cdn|wrapper|notice)\.(?:privacy-mgmt|sp-prod|summerhamster)\.(?:com|net)|sourcepoint\.mgr\.consensu\.org/,
    script: /_sp_(?:queue)?\s*=|_sp_\.config/,
  }),
  technology("TrustArc", "Consent", "trustarc.com", {
    url: /consent\.(?:trustarc|truste)\.com|consent-pref\.trustarc\.com/,
  }),
  technology("Osano", "Consent", "osano.com", { url: /cmp\.osano\.com/ }),
  technology("Cookie Consent", "Consent", "github.com/osano/cookieconsent", {
    url: /\/cookieconsent(?:@[\d.]+)?[\w./-]*\.(?:js|css)/,
  }),
  technology("CookieYes", "Consent", "cookieyes.com", {
    url: /cdn-cookieyes\.com|\/plugins\/cookie-law-info\//,
  }),
  technology("Complianz", ["Consent", "WordPress plugin"], "complianz.io", {
    url: /\/plugins\/complianz-gdpr/,
    cookies: /^cmplz_/,
  }),
  technology("Borlabs Cookie", ["Consent", "WordPress plugin"], "borlabs.io", {
    url: /\/plugins\/borlabs-cookie\/|\/cache\/borlabs-cookie\//,
    cookies: /^borlabs-cookie$/,
    dom: "#BorlabsCookieBox",
  }),
  technology("Real Cookie Banner", ["Consent", "WordPress plugin"], "devowl.io", {
    url: /\/plugins\/real-cookie-banner/,
    cookies: /^real_cookie_banner/,
  }),
  technology("iubenda", "Consent", "iubenda.com", {
    url: /cdn\.iubenda\.com|cs\.iubenda\.com/,
    script: /_iub\.csConfiguration/,
  }),
  technology("Termly", "Consent", "termly.io", { url: /app\.termly\.io/ }),
  technology("Axeptio", "Consent", "axeptio.eu", {
    url: /static\.axept\.io/,
    script: /axeptioSettings/,
  }),
  technology("tarteaucitron", "Consent", "tarteaucitron.io", {
    url: /\/tarteaucitron(?:\.min)?\.js|tarteaucitron\.io/,
  }),
  technology("consentmanager", "Consent", "consentmanager.net", {
    url: /(?:cdn|delivery|consent)\.consentmanager\.(?:net|mgr\.consensu\.org)/,
  }),
  technology("Ketch", "Consent", "ketch.com", { url: /global\.ketchcdn\.com/ }),
  technology("Klaro", "Consent", "klaro.org", {
    url: /\/klaro(?:-no-css)?(?:@[\d.]+)?[\w./-]*\.js|cdn\.kiprotect\.com\/klaro/,
  }),
  technology("Civic Cookie Control", "Consent", "civicuk.com", {
    url: /cc\.cdn\.civiccomputing\.com/,
  }),
  technology("Intercom", "Live chat", "intercom.com", {
    url: /widget\.intercom\.io|js\.intercomcdn\.com/,
    script: /intercomSettings|widget\.intercom\.io/,
    cookies: /^intercom-(?:id|session)-/,
  }),
  technology("Zendesk", "Live chat", "zendesk.com", {
    url: /static\.zdassets\.com|\.zopim\.com|ekr\.zdassets\.com/,
    script: /\$zopim|zESettings/,
  }),
  technology("Drift", "Live chat", "salesloft.com", {
    url: /js\.driftt?\.com/,
    script: /drift\.load\(/,
  }),
  technology("Tawk.to", "Live chat", "tawk.to", {
    url: /embed\.tawk\.to/,
    script: /embed\.tawk\.to|Tawk_API/,
  }),
  technology("Crisp", "Live chat", "crisp.chat", {
    url: /client\.crisp\.chat/,
    script: /CRISP_WEBSITE_ID/,
  }),
  technology("LiveChat", "Live chat", "livechat.com", {
    url: /cdn\.livechatinc\.com/,
    script: /__lc\.license|cdn\.livechatinc\.com/,
  }),
  technology("Smartsupp", "Live chat", "smartsupp.com", {
    url: /smartsuppchat\.com\/loader\.js/,
    script: /smartsuppchat\.com\/loader\.js|_smartsupp\b/,
  }),
  technology("Userlike", "Live chat", "userlike.com", {
    url: /userlike-cdn-(?:umm|widgets)\.|userlikelib/,
  }),
  technology("Olark", "Live chat", "olark.com", {
    url: /static\.olark\.com/,
    script: /olark\.identify\(/,
  }),
  technology("LivePerson", "Live chat", "liveperson.com", {
    url: /lptag\.liveperson\.net|\.liveperson\.net\//,
  }),
  technology("Freshchat", "Live chat", "freshworks.com", {
    url: /wchat\.(?:\w+\.)?freshchat\.com|fw-cdn\.com|widget\.freshworks\.com/,
  }),
  technology("HubSpot Chat", "Live chat", "hubspot.com", {
    url: /js(?:-\w+)?\.usemessages\.com/,
    implies: ["HubSpot"],
  }),
  technology("Gorgias", "Live chat", "gorgias.com", {
    url: /config\.gorgias\.(?:chat|io)|assets\.gorgias\.chat/,
  }),
  technology("Tidio", "Live chat", "tidio.com", { url: /code\.tidio\.co/ }),
  technology("Chatwoot", "Live chat", "chatwoot.com", {
    url: /\/packs\/js\/sdk\.js|app\.chatwoot\.com/,
    script: /chatwootSDK/,
  }),
  technology("JivoChat", "Live chat", "jivochat.com", {
    url: /code\.jivo(?:site)?\.(?:com|ru)|cdn\.jivosite/,
  }),
  technology("Help Scout Beacon", "Live chat", "helpscout.com", {
    url: /beacon-v2\.helpscout\.net/,
    script: /beacon-v2\.helpscout\.net/,
  }),
  technology("Zoho SalesIQ", "Live chat", "zoho.com/salesiq", {
    url: /salesiq\.zoho(?:public)?\.(?:com|eu|in)/,
    script: /\$zoho\.salesiq/,
  }),
  technology("Podium", "Live chat", "podium.com", { url: /connect\.podium\.com/ }),
  technology("Comm100", "Live chat", "comm100.com", {
    url: /(?:chatserver|vue)\.comm100\.(?:com|io)/,
  }),
]
