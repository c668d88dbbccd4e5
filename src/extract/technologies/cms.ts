import { type TechnologyRule, technology } from "./rule.ts"

/** Content management, blogs and wikis. */
export const cms: TechnologyRule[] = [
  technology("WordPress", "CMS", "wordpress.org", {
    generator: /^WordPress(?:\.com)? ?([\d.]+)?/i,
    headers: { link: /rel="?https:\/\/api\.w\.org\//, "x-pingback": /xmlrpc\.php/ },
    cookies: /^wordpress_|^wp-settings-/,
    url: [
      /\/wp-(?:content|includes)\//,
      /\/wp-includes\/(?:js\/wp-e\w+(?:-release)?|css\/dist\/block-library\/style)\.min\.(?:js|css)\?ver=([\d.]+)/,
    ],
    dom: "link[rel='https://api.w.org/']",
    implies: ["PHP", "MySQL"],
  }),
  technology("WordPress.com", ["CMS", "Hosting"], "wordpress.com", {
    generator: /^WordPress\.com/,
    headers: { "x-hacker": /automattic\.com\/jobs|wpvip\.com/ },
    url: /\/\/s[0-2]\.wp\.com\/_static\//,
    implies: ["WordPress"],
  }),
  technology("WordPress VIP", ["CMS", "Hosting"], "wpvip.com", {
    headers: { "x-powered-by": /WordPress VIP/, "x-hacker": /wpvip\.com/ },
    implies: ["WordPress"],
  }),
  technology("Drupal", "CMS", "drupal.org", {
    generator: /^Drupal ?([\d.]+)?/,
    headers: {
      "x-generator": /^Drupal ?([\d.]+)?/,
      "x-drupal-cache": /./,
      "x-drupal-dynamic-cache": /./,
    },
    url: /\/(?:core\/)?misc\/drupal\.(?:init\.)?js|\/sites\/(?:default|all|[\w.-]+)\/(?:files|themes|modules)\//,
    html: /data-drupal-(?:selector|link)|"drupal-settings-json"|jQuery\.extend\(Drupal\.settings/,
    implies: ["PHP"],
  }),
  technology("Joomla", "CMS", "joomla.org", {
    generator: /^Joomla!?(?: ([\d.]+))?/i,
    headers: { "x-content-encoded-by": /Joomla! ([\d.]+)/ },
    url: /\/media\/(?:system|jui|vendor\/joomla)\/js\/|\/components\/com_\w+\//,
    script: /joomla-script-options|Joomla\.(?:JText|Text)/,
    implies: ["PHP"],
  }),
  technology("TYPO3", "CMS", "typo3.org", {
    generator: /^TYPO3(?: (?:CMS )?([\d.]+))?/i,
    url: /\/typo3(?:temp|conf)\//,
    comment: /This website is powered by TYPO3/,
    implies: ["PHP"],
  }),
  technology("Contao", "CMS", "contao.org", {
    generator: /^Contao(?: Open Source CMS)?(?: ([\d.]+))?/i,
    url: /\/assets\/contao\/|\/bundles\/contao/,
    implies: ["PHP"],
  }),
  technology("Ghost", "CMS", "ghost.org", {
    generator: /^Ghost ?([\d.]+)?/,
    headers: { "x-ghost-cache-status": /./ },
    url: /\/ghost\/(?:api|assets)|cdn\.jsdelivr\.net\/(?:npm\/@tryghost|ghost)\//,
    implies: ["Node.js"],
  }),
  technology("Blogger", "CMS", "blogger.com", {
    generator: /^blogger$/i,
    url: /www\.blogger\.com\/(?:static|dyn-css)|blogger\.googleusercontent\.com/,
  }),
  technology("Squarespace", ["CMS", "Hosting"], "squarespace.com", {
    headers: { server: /^Squarespace/i },
    url: /static1?\.squarespace\.com|assets\.squarespace\.com/,
    script: /Static\.SQUARESPACE_CONTEXT/,
  }),
  technology("Wix", ["CMS", "Hosting"], "wix.com", {
    generator: /^Wix\.com/,
    headers: { "x-wix-request-id": /./, "x-wix-renderer-server": /./ },
    url: /static\.(?:wixstatic|parastorage)\.com/,
    meta: { "x-wix-published-version": /./ },
    implies: ["React"],
  }),
  technology("Webflow", ["CMS", "Page builder"], "webflow.com", {
    generator: /^Webflow/,
    url: /assets(?:-global)?\.website-files\.com|cdn\.prod\.website-files\.com|uploads-ssl\.webflow\.com/,
    dom: "html[data-wf-site]",
  }),
  technology("Weebly", ["CMS", "Hosting"], "weebly.com", {
    generator: /^Weebly/i,
    url: /cdn\d*\.editmysite\.com/,
    script: /_W\.configDomain/,
  }),
  technology("Jimdo", ["CMS", "Hosting"], "jimdo.com", {
    generator: /^Jimdo/i,
    url: /\.jimstatic\.com|assets\.jimstatic|jimdo(?:fileserver)?\.com\/(?:app|s)\//,
  }),
  technology("HubSpot CMS", ["CMS", "Marketing"], "hubspot.com/products/cms", {
    generator: /^HubSpot/,
    headers: { "x-hs-content-id": /./, "x-hs-hub-id": /./ },
    url: /\/hs-fs\/hub(?:fs)?\/|\/_hcms\/|\/hubfs\//,
  }),
  technology("Craft CMS", "CMS", "craftcms.com", {
    headers: { "x-powered-by": /\bCraft CMS\b/ },
    cookies: /^CraftSessionId$/,
    url: /\/cpresources\/\w+\//,
    implies: ["PHP", "Yii"],
  }),
  technology("Plone", "CMS", "plone.org", {
    generator: /^Plone/i,
    url: /\/\+\+(?:resource|plone)\+\+|\/portal_(?:css|javascripts)\//,
    implies: ["Python"],
  }),
  technology("Umbraco", "CMS", "umbraco.com", {
    generator: /umbraco/i,
    headers: { "x-umbraco-version": /([\d.]+)/ },
    url: /\/umbraco\/|\/umbraco_client\//i,
    implies: ["ASP.NET"],
  }),
  technology("Sitecore", "CMS", "sitecore.com", {
    cookies: /^SC_ANALYTICS_GLOBAL_COOKIE$|^sc_(?:site|expview)/i,
    url: /\/-\/media\/[^?]+\.ashx|\/sitecore\/shell\//i,
    implies: ["ASP.NET"],
  }),
  technology("Adobe Experience Manager", "CMS", "business.adobe.com/products/experience-manager", {
    url: /\/etc(?:\.clientlibs|\/designs)\/|\/content\/dam\/|clientlib-[\w-]+\.(?:min\.)?(?:lc-[\w-]+\.)?(?:js|css)/,
    weight: 85,
    implies: ["Java"],
  }),
  technology("Kentico", "CMS", "kentico.com", {
    generator: /Kentico/i,
    cookies: /^CMSPreferredCulture$|^CMSCsrfCookie$/,
    url: /\/CMSPages\/GetResource\.ashx|\/getmedia\/[0-9a-f-]{36}\//i,
    implies: ["ASP.NET"],
  }),
  technology("Optimizely CMS", "CMS", "optimizely.com/products/content-management", {
    generator: /EPiServer|Optimizely CMS/i,
    cookies: /^EPi(?:StateMarker|NumberOfVisits|Session)|^\.EPiServerLogin/,
    url: /\/globalassets\/|\/contentassets\/[0-9a-f]{32}\//,
    weight: 70,
    implies: ["ASP.NET"],
  }),
  technology("DNN", "CMS", "dnnsoftware.com", {
    generator: /DotNetNuke|DNN Platform/i,
    cookies: /^dnn_IsMobile$|^DotNetNukeAnonymous$/,
    url: /\/DesktopModules\/|\/Portals\/\d+\/(?:Skins|Containers)\//i,
    implies: ["ASP.NET"],
  }),
  technology("SharePoint", "CMS", "microsoft.com/sharepoint", {
    generator: /Microsoft SharePoint/i,
    headers: { microsoftsharepointteamservices: /([\d.]+)/, sprequestguid: /./ },
    url: /\/_layouts\/(?:15|14)\/|\/_catalogs\/masterpage\//i,
    implies: ["ASP.NET"],
  }),
  technology("Concrete CMS", "CMS", "concretecms.org", {
    generator: /^concrete(?:5| CMS)(?: - ([\d.]+))?/i,
    cookies: /^CONCRETE5$/,
    url: /\/concrete\/(?:js|css)\//,
    script: /\bCCM_(?:DISPATCHER_FILENAME|CID)\b/,
    implies: ["PHP"],
  }),
  technology("MODX", "CMS", "modx.com", {
    generator: /\bMODX\b/i,
    headers: { "x-powered-by": /\bMODX\b/i },
    url: /\/assets\/components\/[\w-]+\//,
    weight: 60,
    implies: ["PHP"],
  }),
  technology("SilverStripe", "CMS", "silverstripe.org", {
    generator: /^Silver[Ss]tripe(?: CMS)?(?: ([\d.]+))?/,
    url: /\/_resources\/vendor\/silverstripe\/|\/silverstripe-/,
    implies: ["PHP"],
  }),
  technology("ProcessWire", "CMS", "processwire.com", {
    headers: { "x-powered-by": /ProcessWire/i },
    generator: /ProcessWire/i,
    implies: ["PHP"],
  }),
  technology("Grav", "CMS", "getgrav.org", { generator: /^GravCMS/i, implies: ["PHP"] }),
  technology("Kirby", "CMS", "getkirby.com", {
    cookies: /^kirby_session$/,
    generator: /^Kirby/i,
    implies: ["PHP"],
  }),
  technology("Statamic", "CMS", "statamic.com", {
    headers: { "x-powered-by": /Statamic/i },
    implies: ["Laravel"],
  }),
  technology("October CMS", "CMS", "octobercms.com", {
    cookies: /^october_session$/,
    url: /\/modules\/system\/assets\/js\/framework/,
    implies: ["Laravel"],
  }),
  technology("Bitrix", "CMS", "bitrix24.com", {
    headers: { "x-powered-cms": /Bitrix/i },
    cookies: /^BITRIX_SM_/,
    url: /\/bitrix\/(?:js|cache|templates|panel)\//,
    implies: ["PHP"],
  }),
  technology("Tilda", ["CMS", "Hosting"], "tilda.cc", {
    url: /static\.tildacdn\.(?:com|pro)|neo\.tildacdn/,
  }),
  technology("Duda", ["CMS", "Hosting"], "duda.co", {
    url: /irp?-cdn\.multiscreensite\.com|static\.cdn-website\.com|lirp\.cdn-website\.com/,
  }),
  technology("GoDaddy Website Builder", ["CMS", "Hosting"], "godaddy.com", {
    generator: /^(?:Starfield Technologies; )?Go Daddy Website Builder ?([\d.]+)?/i,
    url: /img1\.wsimg\.com\/blobby|wsimg\.com\/(?:isteam|ceph)/,
  }),
  technology("Site.pro", "CMS", "site.pro", { generator: /^Site\.pro/i }),
  technology("IONOS MyWebsite", ["CMS", "Hosting"], "ionos.com", {
    generator: /IONOS MyWebsite|1&1 MyWebsite/i,
    url: /cdn\.website-start\.de|mywebsite-editor\.com/,
  }),
  technology("Strikingly", ["CMS", "Hosting"], "strikingly.com", {
    url: /static-assets\.strikinglycdn\.com|custom-images\.strikinglycdn\.com/,
  }),
  technology("Carrd", ["CMS", "Hosting"], "carrd.co", {
    comment: /Built with Carrd|carrd\.co\/build/,
  }),
  technology("Framer", ["CMS", "Page builder"], "framer.com", {
    generator: /^Framer/,
    url: /framerusercontent\.com|events\.framer\.com/,
    implies: ["React"],
  }),
  technology("Notion", ["CMS", "Hosting"], "notion.so", {
    url: /www\.notion\.so\/(?:_assets|image)|notion\.site\/_assets/,
  }),
  technology("Super", "CMS", "super.so", { url: /assets\.super\.so|sites\.super\.so/ }),
  technology("Contentful", "CMS", "contentful.com", {
    url: /(?:images|assets|videos|downloads)\.ctfassets\.net/,
  }),
  technology("Sanity", "CMS", "sanity.io", { url: /cdn\.sanity\.io\// }),
  technology("Storyblok", "CMS", "storyblok.com", {
    url: /a(?:-us)?\.storyblok\.com\/f\/|img2?\.storyblok\.com/,
  }),
  technology("Prismic", "CMS", "prismic.io", {
    url: /\.cdn\.prismic\.io|images\.prismic\.io|prismic-io\.s3/,
  }),
  technology("DatoCMS", "CMS", "datocms.com", { url: /www\.datocms-assets\.com/ }),
  technology("Strapi", "CMS", "strapi.io", {
    headers: { "x-powered-by": /^Strapi/i },
    url: /\.strapiapp\.com|media\.strapi/,
    implies: ["Node.js"],
  }),
  technology("Directus", "CMS", "directus.io", {
    headers: { "x-powered-by": /^Directus/i },
    implies: ["Node.js"],
  }),
  technology("ButterCMS", "CMS", "buttercms.com", { url: /cdn\.buttercms\.com/ }),
  technology("Builder.io", ["CMS", "Page builder"], "builder.io", { url: /cdn\.builder\.io/ }),
  technology("Kontent.ai", "CMS", "kontent.ai", {
    url: /assets-(?:us|eu)-\d+\.kc-usercontent\.com/,
  }),
  technology("Hygraph", "CMS", "hygraph.com", {
    url: /media\.graph(?:assets|cms)\.com|\.graphassets\.com/,
  }),
  technology("Magnolia", "CMS", "magnolia-cms.com", {
    headers: { "x-magnolia-registration": /./ },
    url: /\/\.resources\/[\w-]+\/|\/dam\/jcr:/,
    implies: ["Java"],
  }),
  technology("Liferay", "CMS", "liferay.com", {
    headers: { "liferay-portal": /([\d.]+)/ },
    url: /\/o\/frontend-js-|\/combo\?.*liferay/i,
    script: /Liferay\.(?:ThemeDisplay|Portlet)/,
    implies: ["Java"],
  }),
  technology("CoreMedia", "CMS", "coremedia.com", {
    generator: /CoreMedia/i,
    url: /\/blueprint\/servlet\//,
    implies: ["Java"],
  }),
  technology("FirstSpirit", "CMS", "e-spirit.com", {
    generator: /FirstSpirit/i,
    implies: ["Java"],
  }),
  technology("RedDot", "CMS", "opentext.com", { generator: /RedDot/i }),
  technology("Neos", "CMS", "neos.io", {
    comment: /This website is powered by Neos/,
    headers: { "x-flow-powered": /Neos\/([\d.]+)|Flow/ },
    url: /\/_Resources\/Static\/Packages\//,
    implies: ["PHP"],
  }),
  technology("Pimcore", ["CMS", "E-commerce"], "pimcore.com", {
    headers: { "x-powered-by": /pimcore/i },
    url: /\/bundles\/pimcore/,
    implies: ["PHP", "Symfony"],
  }),
  technology("eZ Platform", "CMS", "ibexa.co", {
    generator: /eZ (?:Publish|Platform)|Ibexa/i,
    headers: { "x-powered-by": /eZ (?:Publish|Platform)|Ibexa/i },
    implies: ["PHP"],
  }),
  technology("Textpattern", "CMS", "textpattern.com", {
    generator: /Textpattern/i,
    implies: ["PHP"],
  }),
  technology("ExpressionEngine", "CMS", "expressionengine.com", {
    cookies: /^exp_(?:last_visit|last_activity|tracker|csrf_token)$/,
    implies: ["PHP"],
  }),
  technology("CMS Made Simple", "CMS", "cmsmadesimple.org", {
    generator: /^CMS Made Simple/,
    cookies: /^CMSSESSID/,
    implies: ["PHP"],
  }),
  technology("PyroCMS", "CMS", "pyrocms.com", {
    cookies: /^pyrocms$/,
    headers: { "x-streams-distribution": /PyroCMS/ },
    implies: ["Laravel"],
  }),
  technology("Movable Type", "CMS", "movabletype.com", {
    generator: /^Movable Type(?: (?:Pro |Enterprise )?([\d.]+))?/,
    implies: ["Perl"],
  }),
  technology("TypePad", ["CMS", "Hosting"], "typepad.com", {
    generator: /typepad/i,
    url: /static\.typepad\.com|\.typepad\.com\/\.(?:shared|a)\//,
  }),
  technology("Tumblr", ["CMS", "Hosting"], "tumblr.com", {
    headers: { "x-tumblr-user": /./ },
    url: /(?:assets|static|media)\.tumblr\.com/,
    weight: 70,
  }),
  technology("Medium", ["CMS", "Hosting"], "medium.com", {
    headers: { "medium-fulfilled-by": /./ },
    url: /cdn-client\.medium\.com|glyph\.medium\.com/,
  }),
  technology("Substack", ["CMS", "Hosting"], "substack.com", {
    headers: { "x-sub": /./ },
    url: /substackcdn\.com\/(?:bundle|min)/,
  }),
  technology("MediaWiki", ["CMS", "Documentation"], "mediawiki.org", {
    generator: /^MediaWiki ?([\w.]+)?/,
    url: /\/(?:w|wiki|mediawiki)\/load\.php\?/,
    implies: ["PHP"],
  }),
  technology("DokuWiki", ["CMS", "Documentation"], "dokuwiki.org", {
    generator: /^DokuWiki/,
    cookies: /^DokuWiki$/,
    implies: ["PHP"],
  }),
  technology("Confluence", ["CMS", "Documentation"], "atlassian.com/software/confluence", {
    headers: { "x-confluence-request-time": /./ },
    meta: { "confluence-request-time": /./, "ajs-version-number": /([\d.]+)/ },
    implies: ["Java"],
  }),
  technology("XWiki", ["CMS", "Documentation"], "xwiki.org", {
    html: /data-xwiki-(?:reference|form-token)/,
    implies: ["Java"],
  }),
  technology("Moodle", "CMS", "moodle.org", {
    cookies: /^MoodleSession/,
    url: /\/theme\/(?:yui_combo|styles|image)\.php\//,
    script: /\bM\.cfg\s*=\s*\{"?wwwroot/,
    implies: ["PHP"],
  }),
]
