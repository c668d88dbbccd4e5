import { type TechnologyRule, technology } from "./rule.ts"

/** What answers: web servers, networks, hosts, caches. */
export const servers: TechnologyRule[] = [
  technology("nginx", "Web server", "nginx.org", { headers: { server: /^nginx(?:\/([\d.]+))?/i } }),
  technology("OpenResty", "Web server", "openresty.org", {
    headers: { server: /^openresty(?:\/([\d.]+))?/i },
    implies: ["nginx"],
  }),
  technology("Tengine", "Web server", "tengine.taobao.org", {
    headers: { server: /^Tengine(?:\/([\d.]+))?/i },
    implies: ["nginx"],
  }),
  technology("Apache", "Web server", "httpd.apache.org", {
    headers: { server: /^Apache(?!-Coyote| Traffic|TrafficServer)(?:\/([\d.]+))?/i },
  }),
  technology("Apache Tomcat", "Web server", "tomcat.apache.org", {
    headers: {
      server: /Apache-Coyote|Tomcat(?:\/([\d.]+))?/i,
      "x-powered-by": /Tomcat(?:[-/]([\d.]+))?/i,
    },
    implies: ["Java"],
  }),
  technology("Apache Traffic Server", ["Web server", "Caching"], "trafficserver.apache.org", {
    headers: { server: /^(?:ATS|ApacheTrafficServer)(?:\/([\d.]+))?/, via: /ApacheTrafficServer/ },
  }),
  technology("LiteSpeed", "Web server", "litespeedtech.com", {
    headers: {
      server: /^LiteSpeed/i,
      "x-litespeed-cache": /./,
      "x-turbo-charged-by": /LiteSpeed/i,
    },
  }),
  technology("IIS", "Web server", "iis.net", {
    headers: { server: /^Microsoft-IIS(?:\/([\d.]+))?/i },
  }),
  technology("Microsoft HTTPAPI", "Web server", "microsoft.com", {
    headers: { server: /^Microsoft-HTTPAPI(?:\/([\d.]+))?/ },
  }),
  technology("Kestrel", "Web server", "dotnet.microsoft.com", {
    headers: { server: /^Kestrel/i },
    implies: ["ASP.NET"],
  }),
  technology("Caddy", "Web server", "caddyserver.com", {
    headers: { server: /^Caddy/i, via: /\bCaddy\b/ },
  }),
  technology("Envoy", "Web server", "envoyproxy.io", {
    headers: { server: /^envoy/i, "x-envoy-upstream-service-time": /./ },
  }),
  technology("Traefik", "Web server", "traefik.io", { headers: { server: /^Traefik/i } }),
  technology("HAProxy", "Web server", "haproxy.org", {
    headers: { via: /haproxy/i, server: /^haproxy/i },
  }),
  technology("lighttpd", "Web server", "lighttpd.net", {
    headers: { server: /^lighttpd(?:\/([\d.]+))?/i },
  }),
  technology("Jetty", "Web server", "jetty.org", {
    headers: { server: /^Jetty\(?([\d.]+)?/i },
    implies: ["Java"],
  }),
  technology("Gunicorn", "Web server", "gunicorn.org", {
    headers: { server: /^gunicorn(?:\/([\d.]+))?/i },
    implies: ["Python"],
  }),
  technology("Uvicorn", "Web server", "uvicorn.org", {
    headers: { server: /^uvicorn/i },
    implies: ["Python"],
  }),
  technology("Phusion Passenger", "Web server", "phusionpassenger.com", {
    headers: {
      server: /Phusion[ _]Passenger(?:[ /]([\d.]+))?/i,
      "x-powered-by": /Phusion Passenger ?\(?R?\)? ?([\d.]+)?/i,
    },
  }),
  technology("Cowboy", "Web server", "github.com/ninenines/cowboy", {
    headers: { server: /^Cowboy$/i },
  }),
  technology("Oracle HTTP Server", "Web server", "oracle.com", {
    headers: { server: /Oracle-(?:HTTP-Server|Application-Server)/i },
  }),
  technology("IBM HTTP Server", "Web server", "ibm.com", {
    headers: { server: /^IBM_HTTP_Server(?:\/([\d.]+))?/i },
  }),
  technology("WebLogic", "Web server", "oracle.com/java/weblogic", {
    headers: { server: /WebLogic(?: Server)?(?: ([\d.]+))?/i },
    implies: ["Java"],
  }),
  technology("WebSphere", "Web server", "ibm.com/products/websphere-application-server", {
    headers: { server: /WebSphere(?: Application Server)?(?:\/([\d.]+))?/i },
    implies: ["Java"],
  }),
  technology("Zope", "Web server", "zope.dev", {
    headers: { server: /^Zope\/\(?(?:Zope )?([\d.]+)?/ },
    implies: ["Python"],
  }),
  technology("Cloudflare", ["CDN", "Security"], "cloudflare.com", {
    headers: { server: /^cloudflare/i, "cf-ray": /./, "cf-cache-status": /./ },
    cookies: /^__cf(?:duid|_bm|ruid|lb)$|^cf_clearance$/,
    url: /\/cdn-cgi\/(?:scripts|challenge-platform|apps|l|styles|bm)\/|\/cdn-cgi\/image\//,
    html: /data-cfemail=|\/cdn-cgi\/(?:l\/email-protection|challenge-platform)/,
  }),
  technology(
    "Cloudflare Rocket Loader",
    "Caching",
    "developers.cloudflare.com/speed/optimization/content/rocket-loader",
    {
      url: /\/cdn-cgi\/scripts\/[\w-]+\/cloudflare-static\/rocket-loader\.min\.js/,
      implies: ["Cloudflare"],
    },
  ),
  technology("Cloudflare Images", "CDN", "cloudflare.com/products/cloudflare-images", {
    url: /imagedelivery\.net\//,
    implies: ["Cloudflare"],
  }),
  technology("Cloudflare Pages", "Hosting", "pages.cloudflare.com", {
    url: /[\w-]+\.pages\.dev\//,
    implies: ["Cloudflare"],
  }),
  technology("Fastly", "CDN", "fastly.com", {
    headers: {
      "x-served-by": /^cache-\w+/,
      "x-fastly-request-id": /./,
      "fastly-debug-digest": /./,
      "fastly-io-info": /./,
    },
  }),
  technology("Akamai", "CDN", "akamai.com", {
    headers: {
      server: /^(?:AkamaiGHost|AkamaiNetStorage)/i,
      "x-akamai-transformed": /./,
      "x-akamai-staging": /./,
      "akamai-grn": /./,
      "akamai-cache-status": /./,
    },
    url: /\.akamai(?:hd|zed|ized)\.net\/|\.edgesuite\.net\//,
  }),
  technology("Akamai Bot Manager", "Security", "akamai.com/products/bot-manager", {
    cookies: /^(?:_abck|bm_sz|ak_bmsc|bm_sv)$/,
    implies: ["Akamai"],
  }),
  technology("Akamai mPulse", "Monitoring", "akamai.com/products/mpulse", {
    url: /[cs]\.go-mpulse\.net\/boomerang/,
    script: /BOOMR_(?:API_key|mq|lstart)/,
  }),
  technology("Amazon CloudFront", "CDN", "aws.amazon.com/cloudfront", {
    headers: { "x-amz-cf-id": /./, "x-amz-cf-pop": /./, via: /CloudFront/ },
    url: /\/\/[a-z0-9]{13,14}\.cloudfront\.net\//,
    weight: 80,
  }),
  technology("Amazon S3", "Hosting", "aws.amazon.com/s3", {
    headers: { server: /^AmazonS3/ },
    url: /\.s3(?:[.-][\w-]+)?\.amazonaws\.com\/|\/\/s3[.-][\w-]*\.?amazonaws\.com\//,
  }),
  technology("Amazon ELB", "Hosting", "aws.amazon.com/elasticloadbalancing", {
    headers: { server: /^awselb\// },
    cookies: /^AWSALB(?:CORS|TG)?$|^AWSELB/,
  }),
  technology("AWS WAF", "Security", "aws.amazon.com/waf", {
    cookies: /^aws-waf-token$/,
    url: /\.(?:edge\.)?(?:sdk|captcha|token)\.awswaf\.com\//,
  }),
  technology("Google Cloud CDN", ["CDN", "Hosting"], "cloud.google.com", {
    headers: { via: /\b1\.1 google\b/ },
  }),
  technology("Google Frontend", "Web server", "cloud.google.com", {
    headers: { server: /^(?:Google Frontend|ESF|gws|sffe|GSE)$/i },
  }),
  technology("Google Cloud Storage", "Hosting", "cloud.google.com/storage", {
    headers: { "x-guploader-uploadid": /./, server: /^UploadServer$/ },
    url: /\/\/storage\.googleapis\.com\//,
  }),
  technology("Firebase Hosting", "Hosting", "firebase.google.com", {
    url: /\/__\/firebase\/(?:[\d.]+\/)?(?:init|firebase)|\.firebaseapp\.com\/|\.web\.app\//,
  }),
  technology("Azure Front Door", "CDN", "azure.microsoft.com/products/frontdoor", {
    headers: { "x-azure-ref": /./ },
  }),
  technology("Azure", "Hosting", "azure.microsoft.com", {
    headers: { "x-ms-request-id": /./ },
    cookies: /^ARRAffinity(?:SameSite)?$|^TiPMix$/,
    url: /\.azureedge\.net\/|\.blob\.core\.windows\.net\/|\.azurewebsites\.net\//,
  }),
  technology("Vercel", ["Hosting", "CDN"], "vercel.com", {
    headers: { "x-vercel-id": /./, server: /^(?:Vercel|now)$/i },
    url: /\/_vercel\/(?:insights|speed-insights)\//,
  }),
  technology("Netlify", ["Hosting", "CDN"], "netlify.com", {
    headers: { "x-nf-request-id": /./, server: /^Netlify/i },
    url: /\.netlify\.(?:app|com)\//,
  }),
  technology("GitHub Pages", "Hosting", "pages.github.com", {
    headers: { server: /^GitHub\.com$/i, "x-github-request-id": /./ },
    implies: ["Fastly"],
  }),
  technology("GitLab Pages", "Hosting", "docs.gitlab.com/user/project/pages", {
    url: /\/\/[\w-]+\.gitlab\.io\//,
  }),
  technology("Heroku", "Hosting", "heroku.com", {
    headers: { via: /\bvegur\b/, nel: /heroku-nel/, "reporting-endpoints": /heroku/ },
    url: /\.herokuapp\.com\//,
  }),
  technology("Render", "Hosting", "render.com", {
    headers: { "x-render-origin-server": /./, "rndr-id": /./ },
  }),
  technology("Fly.io", "Hosting", "fly.io", {
    headers: { server: /^Fly\//, "fly-request-id": /./ },
  }),
  technology("Railway", "Hosting", "railway.com", {
    headers: { server: /^railway/i, "x-railway-request-id": /./ },
  }),
  technology("Pantheon", "Hosting", "pantheon.io", {
    headers: { "x-pantheon-styx-hostname": /./, "x-styx-req-id": /./ },
  }),
  technology("Acquia", "Hosting", "acquia.com", {
    headers: { "x-ah-environment": /./, "x-acquia-site": /./ },
    implies: ["Drupal"],
  }),
  technology("Platform.sh", "Hosting", "platform.sh", {
    headers: { "x-platform-cluster": /./, "x-platform-processor": /./ },
  }),
  technology("WP Engine", "Hosting", "wpengine.com", {
    headers: { "x-powered-by": /WP Engine/i, "x-pass-why": /./, "wpe-backend": /./ },
    implies: ["WordPress"],
  }),
  technology("Kinsta", "Hosting", "kinsta.com", {
    headers: { "x-kinsta-cache": /./, "ki-edge": /./ },
    implies: ["WordPress"],
  }),
  technology("Flywheel", "Hosting", "getflywheel.com", {
    headers: { "x-fw-hash": /./, "x-fw-server": /./ },
  }),
  technology("Pressable", "Hosting", "pressable.com", {
    headers: { "x-powered-by": /Pressable/i, host: /Pressable/ },
  }),
  technology("SiteGround", "Hosting", "siteground.com", {
    headers: {
      "host-header": /6b7412fb82ca5edfd0917e3957f05d89|sgsolutions/,
      "x-proxy-cache-info": /./,
    },
  }),
  technology("Hostinger", "Hosting", "hostinger.com", {
    headers: { platform: /^hostinger$/i, panel: /^hpanel$/, server: /^hcdn$/ },
  }),
  technology("STRATO", "Hosting", "strato.de", { url: /strato-editor\.com|\.strato-hosting\./ }),
  technology("bunny.net", "CDN", "bunny.net", {
    headers: { server: /^BunnyCDN/i, "cdn-pullzone": /./ },
    url: /\.b-cdn\.net\//,
  }),
  technology("KeyCDN", "CDN", "keycdn.com", {
    headers: { server: /^keycdn/i },
    url: /\.kxcdn\.com\//,
  }),
  technology("StackPath", "CDN", "stackpath.com", {
    headers: { server: /^(?:StackPath|NetDNA)/i, "x-sp-url": /./ },
    url: /\.stackpathcdn\.com\/|\.netdna-(?:cdn|ssl)\.com\//,
  }),
  technology("CDN77", "CDN", "cdn77.com", {
    headers: { server: /^CDN77/i, "x-77-cache": /./ },
    url: /\.cdn77\.org\//,
  }),
  technology("Gcore", "CDN", "gcore.com", { headers: { "x-id-fe": /./ }, url: /\.gcdn\.co\// }),
  technology("Edgio", "CDN", "edg.io", {
    headers: { server: /^(?:ECAcc|ECS|ECD)\b|^EdgePrism/, "x-edg-version": /./ },
  }),
  technology("Sucuri", ["CDN", "Security"], "sucuri.net", {
    headers: { server: /^Sucuri/i, "x-sucuri-id": /./, "x-sucuri-cache": /./ },
  }),
  technology("Imperva", ["CDN", "Security"], "imperva.com", {
    headers: { "x-iinfo": /./, "x-cdn": /Imperva|Incapsula/i },
    cookies: /^(?:visid_incap_|incap_ses_|nlbi_)/,
    url: /\/_Incapsula_Resource/,
  }),
  technology("DDoS-Guard", ["CDN", "Security"], "ddos-guard.net", {
    headers: { server: /^ddos-guard/i },
    cookies: /^__ddg\d/,
  }),
  technology("QRATOR", "Security", "qrator.net", { headers: { server: /^QRATOR$/i } }),
  technology("DataDome", "Security", "datadome.co", {
    headers: { "x-datadome": /./, server: /^DataDome$/i },
    cookies: /^datadome$/i,
    url: /(?:js|ct)\.(?:datadome\.co|captcha-delivery\.com)/,
  }),
  technology("HUMAN Bot Defender", "Security", "humansecurity.com", {
    cookies: /^_px(?:hd|vid|2|3)?$/,
    url: /client\.(?:perimeterx|px-cloud)\.net|\/\/client\.px-cdn\.net/,
  }),
  technology("Kasada", "Security", "kasada.io", {
    cookies: /^KP_UIDz?(?:-ssn)?$/,
    headers: { "x-kpsdk-ct": /./ },
  }),
  technology("F5 BIG-IP", ["Security", "Web server"], "f5.com", {
    headers: { server: /^(?:BIG-?IP|BigIP)/i },
    cookies: /^BIGipServer|^TS[0-9a-f]{6,8}$|^F5_ST$/,
  }),
  technology("Citrix NetScaler", "Web server", "citrix.com", {
    cookies: /^(?:NSC_|citrix_ns_id)/,
    headers: { via: /NS-CACHE/ },
  }),
  technology("Barracuda WAF", "Security", "barracuda.com", {
    cookies: /^BNI_(?:persistence|BARRACUDA)|^barra_counter_session/,
  }),
  technology("Varnish", "Caching", "varnish-cache.org", {
    headers: {
      "x-varnish": /./,
      via: /varnish(?: \(Varnish\/([\d.]+)\))?/i,
      "x-varnish-cache": /./,
    },
  }),
  technology("Squid", "Caching", "squid-cache.org", {
    headers: {
      via: /squid(?:\/([\d.]+))?/i,
      "x-cache-lookup": /./,
      server: /^squid(?:\/([\d.]+))?/i,
    },
  }),
  technology("jsDelivr", "CDN", "jsdelivr.com", { url: /(?:cdn|fastly)\.jsdelivr\.net\// }),
  technology("cdnjs", "CDN", "cdnjs.com", { url: /cdnjs\.cloudflare\.com\/ajax\/libs\// }),
  technology("unpkg", "CDN", "unpkg.com", { url: /\/\/unpkg\.com\// }),
  technology("Google Hosted Libraries", "CDN", "developers.google.com/speed/libraries", {
    url: /ajax\.googleapis\.com\/ajax\/libs\//,
  }),
  technology("Microsoft Ajax CDN", "CDN", "learn.microsoft.com/aspnet/ajax/cdn", {
    url: /ajax\.(?:aspnetcdn|microsoft)\.com\/ajax\//,
  }),
  technology("jQuery CDN", "CDN", "releases.jquery.com", { url: /code\.jquery\.com\// }),
  technology("esm.sh", "CDN", "esm.sh", { url: /\/\/esm\.sh\// }),
  technology("Cloudinary", "CDN", "cloudinary.com", { url: /res(?:-\d)?\.cloudinary\.com\// }),
  technology("imgix", "CDN", "imgix.com", { url: /\.imgix\.net\// }),
  technology("ImageKit", "CDN", "imagekit.io", { url: /ik\.imagekit\.io\// }),
  technology("Adobe Dynamic Media", "CDN", "business.adobe.com", {
    url: /\.scene7\.com\/is\/(?:image|content)\//,
  }),
  technology("Uploadcare", "CDN", "uploadcare.com", { url: /ucarecdn\.com\// }),
  technology("Jetpack Boost CDN", "CDN", "jetpack.com", { url: /\/\/i[0-3]\.wp\.com\// }),
]
