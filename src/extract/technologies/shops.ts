import { type TechnologyRule, technology } from "./rule.ts"

/** Shop systems and what belongs to them. */
export const shops: TechnologyRule[] = [
  technology("Shopify", ["E-commerce", "Hosting"], "shopify.com", {
    headers: { "x-shopid": /./, "x-shopify-stage": /./, "powered-by": /^Shopify/ },
    cookies: /^_shopify_(?:y|s|sa_p|tm)$|^secure_customer_sig$/,
    url: /cdn\.shopify\.com\/(?:s|shopifycloud)\/|\/cdn\/shop\/(?:t|files|products)\//,
    script: /Shopify\.(?:theme|shop|routes)\b/,
  }),
  technology("Shopify Plus", "E-commerce", "shopify.com/plus", {
    script: /"plan(?:_name)?":"shopify_plus"/,
    implies: ["Shopify"],
  }),
  technology("WooCommerce", ["E-commerce", "WordPress plugin"], "woocommerce.com", {
    generator: /^WooCommerce ?([\d.]+)?/,
    cookies: /^woocommerce_(?:cart_hash|items_in_cart)$|^wp_woocommerce_session_/,
    url: [/\/plugins\/woocommerce\//, /\/plugins\/woocommerce\/.*[?&]ver=([\d.]+)/],
    dom: "body.woocommerce, body.woocommerce-page, body.woocommerce-no-js",
    implies: ["WordPress"],
  }),
  technology("Magento", "E-commerce", "business.adobe.com/products/magento", {
    headers: { "x-magento-cache-control": /./, "x-magento-tags": /./, "x-magento-vary": /./ },
    cookies: /^X-Magento-Vary$|^mage-(?:cache|messages|translation)/,
    url: /\/static\/(?:version\d+\/)?frontend\/|\/skin\/frontend\/|\/js\/mage\//,
    html: /data-mage-init=|type="text\/x-magento-init"/,
    implies: ["PHP", "MySQL"],
  }),
  technology("PrestaShop", "E-commerce", "prestashop.com", {
    generator: /^PrestaShop/i,
    headers: { "powered-by": /^PrestaShop/i },
    cookies: /^PrestaShop-/,
    script: /\bvar prestashop\s*=/,
    implies: ["PHP", "MySQL"],
  }),
  technology("BigCommerce", ["E-commerce", "Hosting"], "bigcommerce.com", {
    cookies: /^SHOP_SESSION_TOKEN$|^fornax_anonymousId$/,
    url: /cdn\d+\.bigcommerce\.com|\.mybigcommerce\.com/,
  }),
  technology("Shopware", "E-commerce", "shopware.com", {
    headers: { "sw-context-token": /./, "sw-version-id": /./ },
    cookies: /^sw-(?:states|cache-hash)$/,
    url: /\/engine\/Shopware\/|\/bundles\/storefront\/|\/web\/cache\/\d+_[0-9a-f]+\.css|\/theme\/[0-9a-f]{32}\/(?:css|js)\//,
    generator: /Shopware ?([\d.]+)?/i,
    implies: ["PHP"],
  }),
  technology("OXID eShop", "E-commerce", "oxid-esales.com", {
    cookies: /^(?:oxsid|sid_key)$/,
    url: /\/out\/(?:azure|flow|wave|apex|pictures|src)\//,
    comment: /OXID eShop/,
    implies: ["PHP"],
  }),
  technology("Salesforce Commerce Cloud", "E-commerce", "salesforce.com/products/commerce", {
    headers: { "x-dw-request-base-id": /./ },
    cookies: /^dw(?:sid|anonymous_|sourcecode|ac_)/,
    url: /\/on\/demandware\.(?:static|store)\/|\.demandware\.(?:net|edgesuite)/,
  }),
  technology("OpenCart", "E-commerce", "opencart.com", {
    cookies: /^OCSESSID$/,
    url: /\/catalog\/view\/(?:theme|javascript)\/|index\.php\?route=(?:product|common)\//,
    implies: ["PHP"],
  }),
  technology("osCommerce", "E-commerce", "oscommerce.com", {
    cookies: /^osC(?:AdminI|s)d$/i,
    implies: ["PHP"],
  }),
  technology("Zen Cart", "E-commerce", "zen-cart.com", {
    generator: /^(?:shopping cart program by )?Zen Cart/i,
    cookies: /^zenid$/,
    implies: ["PHP"],
  }),
  technology("nopCommerce", "E-commerce", "nopcommerce.com", {
    generator: /^nopCommerce/i,
    cookies: /^\.?Nop\.(?:Customer|Antiforgery)/i,
    implies: ["ASP.NET"],
  }),
  technology("Ecwid", "E-commerce", "ecwid.com", {
    url: /app\.ecwid\.com\/|d1q3axnfhmyveb\.cloudfront\.net/,
  }),
  technology("Snipcart", "E-commerce", "snipcart.com", { url: /cdn\.snipcart\.com/ }),
  technology("Gumroad", ["E-commerce", "Payment"], "gumroad.com", {
    url: /gumroad\.com\/js\/gumroad/,
  }),
  technology("Volusion", ["E-commerce", "Hosting"], "volusion.com", {
    url: /\/a\/j\/(?:volusion|vmessages)\.js|cdn\d*\.volusion\.com/,
  }),
  technology("3dcart", ["E-commerce", "Hosting"], "shift4shop.com", {
    cookies: /^3dvisit$/,
    url: /\.3dcartstores\.com|3dcart\.com/,
  }),
  technology("Commercetools", "E-commerce", "commercetools.com", {
    url: /\.commercetools\.(?:com|co)\/|api\.(?:europe-west1|us-central1)\.gcp\.commercetools/,
  }),
  technology("SAP Commerce Cloud", "E-commerce", "sap.com/products/crm/commerce-cloud", {
    cookies: /^_hybris/i,
    url: /\/_ui\/(?:responsive|desktop|shared|addons)\/|\/yacceleratorstorefront\/|\/medias\/[^?]*\?context=/,
    implies: ["Java"],
  }),
  technology("HCL Commerce", "E-commerce", "hcltechsw.com/commerce", {
    cookies: /^WC_(?:SESSION_ESTABLISHED|PERSISTENT|ACTIVEPOINTER)$/,
    url: /\/wcsstore\//,
    implies: ["Java"],
  }),
  technology("Oracle Commerce", "E-commerce", "oracle.com", {
    headers: { "x-atg-version": /([\d.]+)?/ },
    cookies: /^atgRecVisitorId$|^ATG_SESSION_ID$/,
    implies: ["Java"],
  }),
  technology("Intershop", "E-commerce", "intershop.com", {
    url: /\/INTERSHOP\/(?:static|web)\//,
    implies: ["Java"],
  }),
  technology("Spryker", "E-commerce", "spryker.com", {
    headers: { "x-powered-by": /Spryker/i },
    url: /\/assets\/current\/default\/(?:css|js)\/yves_default/,
    implies: ["PHP"],
  }),
  technology("VTEX", ["E-commerce", "Hosting"], "vtex.com", {
    headers: { powered: /^vtex$/i, "x-vtex-cache-status-janus-edge": /./ },
    cookies: /^(?:VtexWorkspace|vtex_session|VTEXSC|vtex_segment)/,
    url: /\.vtex(?:assets|img|commercestable)\.com/,
  }),
  technology("Tray", ["E-commerce", "Hosting"], "tray.com.br", {
    url: /(?:images|static\d*)\.tcdn\.com\.br/,
  }),
  technology("Nuvemshop", ["E-commerce", "Hosting"], "nuvemshop.com.br", {
    url: /\.mitiendanube\.com\/stores|acdn\.mitiendanube\.com/,
  }),
  technology("InSales", ["E-commerce", "Hosting"], "insales.com", {
    url: /static\.insales(?:-cdn)?\.(?:ru|com)|assets\d\.insales\.ru/,
  }),
  technology("Shoptet", ["E-commerce", "Hosting"], "shoptet.cz", { url: /cdn\.myshoptet\.com/ }),
  technology("IdoSell", ["E-commerce", "Hosting"], "idosell.com", {
    url: /\.iai-shop\.com|static\d*\.idosell\.com/,
    comment: /IdoSell(?:\.com)? Shop/,
  }),
  technology("Shoper", ["E-commerce", "Hosting"], "shoper.pl", {
    url: /dcsaascdn\.net\/public|\.shoparena\.pl/,
  }),
  technology("JTL-Shop", "E-commerce", "jtl-software.de", {
    cookies: /^JTLSHOP$/,
    url: /\/templates\/(?:Evo|NOVA)\/|\/mediafiles\/Bilder\//,
    implies: ["PHP"],
  }),
  technology("Gambio", "E-commerce", "gambio.de", {
    cookies: /^gxid$/,
    generator: /gambio/i,
    url: /\/gambio\w*\/|\/GXModules\//i,
    implies: ["PHP"],
  }),
  technology("modified eCommerce", "E-commerce", "modified-shop.org", {
    generator: /modified eCommerce Shopsoftware/i,
    cookies: /^MODsid$/,
    implies: ["PHP"],
  }),
  technology("plentymarkets", ["E-commerce", "Hosting"], "plentymarkets.com", {
    cookies: /^plentyID$/,
    url: /cdn\d*\.plentymarkets\.com|\/plugin\/\d+\/ceres\//,
  }),
  technology("ePages", ["E-commerce", "Hosting"], "epages.com", {
    headers: { "x-powered-by": /ePages/i },
    url: /\/WebRoot\/Store(?:Types|\d)/,
  }),
  technology("Lightspeed eCom", ["E-commerce", "Hosting"], "lightspeedhq.com", {
    url: /cdn\.webshopapp\.com|cdn\.shoplightspeed\.com/,
  }),
  technology("CCV Shop", ["E-commerce", "Hosting"], "ccvshop.nl", {
    url: /\.ccvshop\.(?:nl|be)|securearea\.eu/,
  }),
  technology("Sylius", "E-commerce", "sylius.com", {
    url: /\/bundles\/sylius|\/build\/shop\/shop-entry/,
    implies: ["PHP", "Symfony"],
  }),
  technology("Spree", "E-commerce", "spreecommerce.org", {
    url: /\/assets\/spree\/frontend\/|\/spree\/products\//,
    implies: ["Ruby on Rails"],
  }),
  technology("Saleor", "E-commerce", "saleor.io", {
    url: /\.saleor\.cloud\//,
    implies: ["Python", "Django"],
  }),
  technology("Medusa", "E-commerce", "medusajs.com", {
    url: /medusa-public-images\.s3|\/store\/medusa/,
    implies: ["Node.js"],
  }),
  technology("Cafe24", ["E-commerce", "Hosting"], "cafe24.com", {
    url: /\.cafe24(?:img|cos)?\.com|\/ind-script\/optimizer\.php/,
  }),
  technology("MakeShop", ["E-commerce", "Hosting"], "makeshop.jp", {
    url: /gigaplus\.makeshop\.jp|\.makeshop\.co\.kr/,
  }),
  technology("BASE", ["E-commerce", "Hosting"], "thebase.com", {
    url: /thebase\.in|baseec-img|basefile\.akamaized\.net/,
  }),
  technology("91APP", ["E-commerce", "Hosting"], "91app.com", {
    url: /\.91app\.com\/|diz36nn4q02zr\.cloudfront\.net/,
  }),
  technology("SHOPLINE", ["E-commerce", "Hosting"], "shopline.com", {
    url: /cdn\.shoplineapp\.com|shoplineimg\.com/,
  }),
  technology("Haravan", ["E-commerce", "Hosting"], "haravan.com", { url: /hstatic\.net\/\d/ }),
  technology("Sapo", ["E-commerce", "Hosting"], "sapo.vn", { url: /bizweb\.dktcdn\.net/ }),
  technology("Recharge", ["E-commerce", "Payment"], "rechargepayments.com", {
    url: /(?:static|cdn)\.rechargecdn\.com|rechargeassets/,
  }),
  technology("Yotpo", "Reviews", "yotpo.com", {
    url: /(?:staticw2|cdn-(?:widgets|swell-assets)|cdn-loyalty)\.yotpo\.com/,
  }),
  technology("Judge.me", "Reviews", "judge.me", {
    url: /cdn\.judge\.me|judgeme(?:-public)?\.(?:imgix|com)/,
  }),
  technology("Loox", "Reviews", "loox.io", { url: /loox\.io\/widget/ }),
  technology("Stamped", "Reviews", "stamped.io", { url: /cdn\d?\.stamped\.io/ }),
  technology("Bazaarvoice", "Reviews", "bazaarvoice.com", {
    url: /(?:apps|display|api)\.(?:ugc\.)?bazaarvoice\.com/,
  }),
  technology("PowerReviews", "Reviews", "powerreviews.com", {
    url: /(?:ui|display)\.powerreviews\.com/,
  }),
  technology("Trustpilot", "Reviews", "trustpilot.com", {
    url: /widget\.trustpilot\.com\/bootstrap/,
    dom: ".trustpilot-widget",
  }),
  technology("Trusted Shops", "Reviews", "trustedshops.com", { url: /widgets\.trustedshops\.com/ }),
  technology("Feefo", "Reviews", "feefo.com", { url: /api\.feefo\.com/ }),
  technology("Reviews.io", "Reviews", "reviews.io", { url: /widget\.reviews\.(?:io|co\.uk)/ }),
  technology("ProvenExpert", "Reviews", "provenexpert.com", {
    url: /(?:s|images)\.provenexpert\.net|provenexpert\.com\/(?:widget|badge)/,
  }),
  technology("eKomi", "Reviews", "ekomi.com", {
    url: /(?:sw-assets|smart-widget-assets|connect)\.ekomi(?:apps)?\.(?:de|com)|ekomiapps\.de/,
  }),
]
