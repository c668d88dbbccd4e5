import { type TechnologyRule, technology } from "./rule.ts"

/** What pages call in from others: captchas, payment, players, fonts, maps, search, comments. */
export const services: TechnologyRule[] = [
  technology("reCAPTCHA", "Security", "google.com/recaptcha", {
    url: /(?:www\.)?(?:google|recaptcha|gstatic)\.(?:com|net)\/recaptcha\//,
    dom: ".g-recaptcha",
  }),
  technology("hCaptcha", "Security", "hcaptcha.com", {
    url: /(?:js\.)?hcaptcha\.com\/1\/api\.js/,
    dom: ".h-captcha",
  }),
  technology("Cloudflare Turnstile", "Security", "cloudflare.com/products/turnstile", {
    url: /challenges\.cloudflare\.com\/turnstile/,
    dom: ".cf-turnstile",
  }),
  technology("Friendly Captcha", "Security", "friendlycaptcha.com", {
    url: /friendly-challenge|friendlycaptcha/,
    dom: ".frc-captcha",
  }),
  technology("GeeTest", "Security", "geetest.com", { url: /(?:static|api)\.geetest\.com/ }),
  technology("Arkose Labs", "Security", "arkoselabs.com", {
    url: /(?:client-api|\w+-api)\.arkoselabs\.com|funcaptcha\.com/,
  }),
  technology("Stripe", "Payment", "stripe.com", {
    url: /js\.stripe\.com\/|m\.stripe\.network/,
    cookies: /^__stripe_(?:mid|sid)$/,
  }),
  technology("PayPal", "Payment", "paypal.com", {
    url: /www\.paypal(?:objects)?\.com\/(?:sdk\/js|tagmanager|api\/checkout|webapps)|paypal\.com\/sdk\/js/,
    html: /action="https:\/\/www\.paypal\.com\/(?:cgi-bin\/webscr|donate)/,
  }),
  technology("Braintree", "Payment", "braintreepayments.com", { url: /js\.braintreegateway\.com/ }),
  technology("Klarna", "Payment", "klarna.com", {
    url: /(?:js|x)\.klarna(?:services|cdn)?\.(?:com|net)|js\.klarnaservices\.com|eu-library\.klarnaservices\.com|osm\.klarnaservices/,
    dom: "klarna-placement",
  }),
  technology("Adyen", "Payment", "adyen.com", {
    url: /checkoutshopper-(?:live|test)(?:-\w+)?\.adyen\.com/,
  }),
  technology("Square", "Payment", "squareup.com", {
    url: /(?:web|js)\.squarecdn\.com|js\.squareup\.com/,
  }),
  technology("Mollie", "Payment", "mollie.com", { url: /js\.mollie\.com/ }),
  technology("Afterpay", "Payment", "afterpay.com", {
    url: /(?:js|static)\.(?:afterpay|squarecdn)\.com\/(?:afterpay|square-marketplace)|portal\.afterpay\.com/,
    dom: "afterpay-placement, square-placement",
  }),
  technology("Affirm", "Payment", "affirm.com", { url: /cdn\d?\.affirm\.com/ }),
  technology("Sezzle", "Payment", "sezzle.com", { url: /widget\.sezzle\.(?:com|in)/ }),
  technology("Amazon Pay", "Payment", "pay.amazon.com", {
    url: /static-(?:na|eu|fe)\.payments-amazon\.com/,
  }),
  technology("Google Pay", "Payment", "pay.google.com", {
    url: /pay\.google\.com\/gp\/p\/js\/pay\.js/,
  }),
  technology("Apple Pay", "Payment", "apple.com/apple-pay", {
    url: /applepay\.cdn-apple\.com/,
    dom: "apple-pay-button",
  }),
  technology("Shop Pay", "Payment", "shop.app", {
    url: /shop\.app\/pay|\/cdn\/shopifycloud\/shop-js/,
    dom: "shopify-accelerated-checkout, shop-pay-button",
  }),
  technology("Paddle", "Payment", "paddle.com", { url: /cdn\.paddle\.com\/paddle/ }),
  technology("FastSpring", "Payment", "fastspring.com", {
    url: /d1f8f9xcsvx3ha\.cloudfront\.net|sbl\.onfastspring\.com/,
  }),
  technology("Lemon Squeezy", "Payment", "lemonsqueezy.com", {
    url: /(?:app|assets)\.lemonsqueezy\.com/,
  }),
  technology("Chargebee", "Payment", "chargebee.com", { url: /js\.chargebee\.com/ }),
  technology("Recurly", "Payment", "recurly.com", { url: /js\.recurly\.com/ }),
  technology("Razorpay", "Payment", "razorpay.com", { url: /checkout\.razorpay\.com/ }),
  technology("Mercado Pago", "Payment", "mercadopago.com", {
    url: /(?:sdk|secure)\.mercadopago\.com|http2\.mlstatic\.com\/.*mercadopago/,
  }),
  technology("Steady", "Payment", "steadyhq.com", { url: /steadyhq\.com\/(?:widget|assets)/ }),
  technology("Piano", "Payment", "piano.io", {
    url: /(?:cdn|experience|buy)(?:-eu)?\.(?:tinypass|piano)\.(?:com|io)/,
    script: /\btp\.push\(/,
  }),
  technology("YouTube", "Video", "youtube.com", {
    url: /(?:www\.)?youtube(?:-nocookie)?\.com\/(?:embed|iframe_api|player_api)|i\.ytimg\.com\/vi/,
  }),
  technology("Vimeo", "Video", "vimeo.com", { url: /player\.vimeo\.com/ }),
  technology("Wistia", "Video", "wistia.com", { url: /fast\.wistia\.(?:com|net)/ }),
  technology("Brightcove", "Video", "brightcove.com", {
    url: /players\.brightcove\.net|\.boltdns\.net/,
  }),
  technology("JW Player", "Video", "jwplayer.com", {
    url: /(?:cdn|content|ssl)\.(?:jwplayer|jwpcdn|p\.jwpcdn)\.com|\/jwplayer\.js/,
  }),
  technology("Video.js", "Video", "videojs.com", {
    url: /vjs\.zencdn\.net\/(\d+(?:\.\d+)+)?|\/video(?:js)?(?:@[\d.]+)?(?:\/dist)?\/?video(?:\.min)?\.js/,
    dom: ".video-js",
  }),
  technology("Plyr", "Video", "plyr.io", {
    url: /cdn\.plyr\.io\/(\d+(?:\.\d+)+)?|\/plyr(?:\.polyfilled)?(?:\.min)?\.(?:js|css)/,
  }),
  technology("Flowplayer", "Video", "flowplayer.com", {
    url: /\/flowplayer(?:-[\d.]+)?(?:\.min)?\.js|cdn\.flowplayer\.com/,
  }),
  technology("MediaElement.js", "Video", "mediaelementjs.com", {
    url: /\/mediaelement(?:-and-player)?(?:\.min)?\.(?:js|css)|\/mediaelement\//,
  }),
  technology("Dailymotion", "Video", "dailymotion.com", {
    url: /(?:www|geo)\.dailymotion\.com\/(?:embed|player)/,
  }),
  technology("Kaltura", "Video", "kaltura.com", { url: /\.kaltura\.com\/(?:p|html5|index)/ }),
  technology("Vidyard", "Video", "vidyard.com", { url: /play\.vidyard\.com/ }),
  technology("Loom", "Video", "loom.com", { url: /www\.loom\.com\/embed/ }),
  technology("Mux", "Video", "mux.com", { url: /(?:stream|image)\.mux\.com/, dom: "mux-player" }),
  technology("Cloudflare Stream", "Video", "cloudflare.com/products/cloudflare-stream", {
    url: /\.(?:cloudflarestream|videodelivery)\.(?:com|net)/,
  }),
  technology("Twitch Embed", "Video", "twitch.tv", { url: /(?:player|embed)\.twitch\.tv/ }),
  technology("Spotify Embed", "Audio", "spotify.com", { url: /open\.spotify\.com\/embed/ }),
  technology("SoundCloud", "Audio", "soundcloud.com", { url: /w\.soundcloud\.com\/player/ }),
  technology("Podigee", "Audio", "podigee.com", { url: /(?:cdn|player)\.podigee\.(?:com|net)/ }),
  technology("Podlove", "Audio", "podlove.org", {
    url: /cdn\.podlove\.org|\/podlove-(?:web-player|podcasting)/,
  }),
  technology("Google Fonts", "Fonts", "fonts.google.com", {
    url: /fonts\.(?:googleapis|gstatic)\.com\//,
  }),
  technology("Adobe Fonts", "Fonts", "fonts.adobe.com", {
    url: /use\.typekit\.(?:net|com)|p\.typekit\.net/,
  }),
  technology("Bunny Fonts", "Fonts", "fonts.bunny.net", { url: /fonts\.bunny\.net/ }),
  technology("Fonts.com", "Fonts", "fonts.com", { url: /fast\.fonts\.(?:com|net)/ }),
  technology("Cloud.typography", "Fonts", "typography.com", { url: /cloud\.typography\.com/ }),
  technology("Fontshare", "Fonts", "fontshare.com", { url: /api\.fontshare\.com/ }),
  technology("Google Maps", "Maps", "mapsplatform.google.com", {
    url: /maps\.google(?:apis)?\.com\/maps|(?:www\.)?google\.[a-z.]+\/maps\/embed|maps\.googleapis\.com/,
  }),
  technology("Leaflet", "Maps", "leafletjs.com", {
    url: /\/leaflet(?:@|\/)?(\d+(?:\.\d+)+)?[\w./-]*\.(?:js|css)/,
    dom: ".leaflet-container",
  }),
  technology("Mapbox", "Maps", "mapbox.com", {
    url: /api\.(?:tiles\.)?mapbox\.com\/mapbox(?:-gl)?(?:-|\.)js\/v?(\d+(?:\.\d+)+)?/,
  }),
  technology("MapLibre", "Maps", "maplibre.org", { url: /\/maplibre-gl(?:@(\d+(?:\.\d+)+))?/ }),
  technology("OpenLayers", "Maps", "openlayers.org", {
    url: /\/(?:ol|OpenLayers)(?:@(\d+(?:\.\d+)+))?(?:\/dist)?(?:\/ol)?(?:\.min)?\.js/,
  }),
  technology("OpenStreetMap", "Maps", "openstreetmap.org", {
    url: /(?:[abc]\.)?tile\.openstreetmap\.(?:org|de)|openstreetmap\.org\/export\/embed/,
  }),
  technology("HERE Maps", "Maps", "here.com", { url: /js\.api\.here\.com/ }),
  technology("Yandex Maps", "Maps", "yandex.com/maps", {
    url: /api-maps\.yandex\.ru|yandex\.[a-z]+\/map-widget/,
  }),
  technology("Bing Maps", "Maps", "bingmapsportal.com", {
    url: /(?:www|dev\.virtualearth)\.(?:bing\.com\/api\/maps|net\/mapcontrol)/,
  }),
  technology("Algolia", "Search", "algolia.com", {
    url: /\/algoliasearch(?:@(\d+(?:\.\d+)+))?|\.algolia(?:net)?\.(?:com|net)|instantsearch(?:\.production)?(?:\.min)?\.js/,
    script: /algoliasearch\(|ALGOLIA_/,
  }),
  technology("DocSearch", "Search", "docsearch.algolia.com", {
    url: /\/docsearch(?:\.js)?(?:@[\d.]+)?/,
    dom: ".DocSearch, #docsearch",
    implies: ["Algolia"],
  }),
  technology("Meilisearch", "Search", "meilisearch.com", { url: /meilisearch/ }),
  technology("Typesense", "Search", "typesense.org", { url: /typesense/ }),
  technology("Elastic Site Search", "Search", "elastic.co", {
    url: /(?:cdn|s)\.swiftype\.com|swiftypecdn\.com/,
  }),
  technology("Google Programmable Search", "Search", "programmablesearchengine.google.com", {
    url: /cse\.google\.[a-z.]+\/cse\.js/,
    dom: ".gcse-search, .gcse-searchbox",
  }),
  technology("Klevu", "Search", "klevu.com", { url: /js\.klevu\.com/ }),
  technology("Doofinder", "Search", "doofinder.com", { url: /cdn\.doofinder\.com/ }),
  technology("Searchspring", "Search", "searchspring.com", {
    url: /cdn\.searchspring\.net|snapui\.searchspring\.io/,
  }),
  technology("FactFinder", "Search", "fact-finder.com", {
    url: /\/ff-web-components\/|\.fact-finder\.(?:com|de)/,
    dom: "ff-communication",
  }),
  technology("Disqus", "Comments", "disqus.com", {
    url: /\.disqus\.com\/(?:embed|count)\.js|disquscdn\.com/,
    dom: "#disqus_thread",
    script: /disqus_(?:shortname|config|url)|\.disqus\.com\/embed\.js/,
  }),
  technology("Giscus", "Comments", "giscus.app", { url: /giscus\.app\/client\.js/ }),
  technology("utterances", "Comments", "utteranc.es", { url: /utteranc\.es\/client\.js/ }),
  technology("Commento", "Comments", "commento.io", { url: /cdn\.commento\.io/ }),
  technology("OpenWeb", "Comments", "openweb.com", { url: /launcher\.spot\.im/ }),
  technology("Hyvor Talk", "Comments", "talk.hyvor.com", { url: /talk\.hyvor\.com/ }),
  technology("Livefyre", "Comments", "livefyre.com", { url: /cdn\.livefyre\.com/ }),
  technology("AddThis", "Widgets", "addthis.com", { url: /s7\.addthis\.com|addthis_widget\.js/ }),
  technology("ShareThis", "Widgets", "sharethis.com", {
    url: /(?:platform-api|w|buttons-config)\.sharethis\.com/,
  }),
  technology("AddToAny", "Widgets", "addtoany.com", { url: /static\.addtoany\.com/ }),
  technology("Twitter Widgets", "Widgets", "developer.x.com", {
    url: /platform\.(?:twitter|x)\.com\/widgets\.js/,
  }),
  technology("Instagram Embed", "Widgets", "instagram.com", {
    url: /www\.instagram\.com\/embed\.js/,
  }),
  technology("Elfsight", "Widgets", "elfsight.com", {
    url: /(?:apps|static)\.elfsight(?:cdn)?\.com/,
  }),
  technology("Juicer", "Widgets", "juicer.io", { url: /assets\.juicer\.io/ }),
  technology("Typeform", "Forms", "typeform.com", { url: /embed\.typeform\.com/ }),
  technology("Jotform", "Forms", "jotform.com", {
    url: /(?:form|cdn|js)\.jotform\.(?:com|io|eu)|jotfor\.ms/,
  }),
  technology("Google Forms", "Forms", "forms.google.com", { url: /docs\.google\.com\/forms\// }),
  technology("Formstack", "Forms", "formstack.com", { url: /\.formstack\.com\/forms/ }),
  technology("Tally", "Forms", "tally.so", { url: /tally\.so\/(?:widgets|embed)/ }),
  technology("SurveyMonkey", "Forms", "surveymonkey.com", {
    url: /(?:widget|www)\.surveymonkey\.com/,
  }),
  technology("Qualtrics", "Forms", "qualtrics.com", {
    url: /\.siteintercept\.qualtrics\.com|\.qualtrics\.com\//,
  }),
  technology("Usabilla", "Forms", "getfeedback.com", { url: /w\.usabilla\.com/ }),
  technology("Medallia", "Forms", "medallia.com", {
    url: /resources\.digital-cloud(?:-\w+)?\.medallia\.(?:com|eu)|nebula-cdn\.kampyle\.com/,
  }),
  technology("Formspree", "Forms", "formspree.io", { html: /action="https:\/\/formspree\.io\// }),
  technology("Netlify Forms", "Forms", "netlify.com", { dom: "form[netlify], form[data-netlify]" }),
  technology("Calendly", "Booking", "calendly.com", { url: /assets\.calendly\.com/ }),
  technology("Cal.com", "Booking", "cal.com", { url: /app\.cal\.com\/embed/ }),
  technology("Acuity Scheduling", "Booking", "acuityscheduling.com", {
    url: /embed\.acuityscheduling\.com|app\.acuityscheduling\.com/,
  }),
  technology("OpenTable", "Booking", "opentable.com", { url: /www\.opentable\.[a-z.]+\/widget/ }),
  technology("Resmio", "Booking", "resmio.com", { url: /static\.resmio\.com/ }),
  technology("Mindbody", "Booking", "mindbodyonline.com", {
    url: /widgets\.(?:mindbodyonline|healcode)\.com/,
  }),
  technology("Doctolib", "Booking", "doctolib.com", {
    url: /www\.doctolib\.(?:fr|de|it)\/(?:embed|iframe)/,
  }),
  technology("Weglot", "Translation", "weglot.com", { url: /cdn\.weglot\.com/ }),
  technology("Google Translate", "Translation", "translate.google.com", {
    url: /translate\.google\.com\/translate_a\/element\.js/,
    dom: "#google_translate_element",
  }),
  technology("GTranslate", "Translation", "gtranslate.io", {
    url: /cdn\.gtranslate\.net|\/plugins\/gtranslate\//,
  }),
  technology("Transifex Live", "Translation", "transifex.com", {
    url: /cdn\.transifex\.com\/live/,
  }),
  technology("UserWay", "Accessibility", "userway.org", { url: /cdn\.userway\.org/ }),
  technology("accessiBe", "Accessibility", "accessibe.com", { url: /(?:acsbapp|acsbap)\.com/ }),
  technology("AudioEye", "Accessibility", "audioeye.com", {
    url: /ws(?:mcdn|v3cdn)\.audioeye\.com/,
  }),
  technology("Eye-Able", "Accessibility", "eye-able.com", { url: /(?:cdn|www)\.eye-able\.com/ }),
  technology("ReadSpeaker", "Accessibility", "readspeaker.com", { url: /\.readspeaker\.com\// }),
  technology("Recite Me", "Accessibility", "reciteme.com", { url: /api\.reciteme\.com/ }),
  technology("Google Sign-In", "Security", "developers.google.com/identity", {
    url: /accounts\.google\.com\/gsi\/client|apis\.google\.com\/js\/platform/,
  }),
  technology("Auth0", "Security", "auth0.com", { url: /cdn\.(?:eu\.)?auth0\.com/ }),
  technology("Okta", "Security", "okta.com", { url: /\.oktacdn\.com|ok\d+static\.oktacdn/ }),
  technology("Clerk", "Security", "clerk.com", {
    url: /clerk\.[\w.-]+\/npm\/@clerk|@clerk\/clerk-js/,
  }),
  technology("Firebase", "Database", "firebase.google.com", {
    url: /www\.gstatic\.com\/firebasejs\/(\d+(?:\.\d+)+)?/,
    script: /firebaseConfig|firebase\.initializeApp\(/,
  }),
  technology("Supabase", "Database", "supabase.com", {
    url: /\.supabase\.co\/|@supabase\/supabase-js(?:@(\d+))?/,
  }),
  technology("Airtable", "Database", "airtable.com", { url: /airtable\.com\/embed/ }),
]
