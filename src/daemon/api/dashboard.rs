//! The dashboard: two pages, no assets from elsewhere.

use axum::http::HeaderName;
use axum::http::header::{
    CACHE_CONTROL, CONTENT_SECURITY_POLICY, CONTENT_TYPE, REFERRER_POLICY, X_CONTENT_TYPE_OPTIONS,
};

/// Nothing but this server's own style, script and API; no inline code, no framing.
const POLICY: &str = "default-src 'none'; style-src 'self'; script-src 'self'; connect-src 'self'; img-src 'self' data:; \
                      base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

type Asset = ([(HeaderName, &'static str); 5], &'static str);

const fn asset(content_type: &'static str, text: &'static str) -> Asset {
    let headers = [
        (CONTENT_TYPE, content_type),
        (CONTENT_SECURITY_POLICY, POLICY),
        (X_CONTENT_TYPE_OPTIONS, "nosniff"),
        (REFERRER_POLICY, "no-referrer"),
        // A page of the version before would talk to this one's API.
        (CACHE_CONTROL, "no-cache"),
    ];
    (headers, text)
}

/// `/`.
pub(super) async fn page() -> Asset {
    asset("text/html; charset=utf-8", include_str!("../dashboard/dashboard.html"))
}

/// `/dashboard.css`.
pub(super) async fn style() -> Asset {
    asset("text/css; charset=utf-8", include_str!("../dashboard/dashboard.css"))
}

/// `/dashboard.js`.
pub(super) async fn script() -> Asset {
    asset("text/javascript; charset=utf-8", include_str!("../dashboard/dashboard.js"))
}

/// `/base.js`.
pub(super) async fn base_script() -> Asset {
    asset("text/javascript; charset=utf-8", include_str!("../dashboard/base.js"))
}

/// `/reviews.js`.
pub(super) async fn review_script() -> Asset {
    asset("text/javascript; charset=utf-8", include_str!("../dashboard/reviews.js"))
}

/// `/devices.js`.
pub(super) async fn device_script() -> Asset {
    asset("text/javascript; charset=utf-8", include_str!("../dashboard/devices.js"))
}

/// `/farm`.
pub(super) async fn farm_page() -> Asset {
    asset("text/html; charset=utf-8", include_str!("../dashboard/farm.html"))
}

/// `/farm.css`.
pub(super) async fn farm_style() -> Asset {
    asset("text/css; charset=utf-8", include_str!("../dashboard/farm.css"))
}

/// `/farm.js`.
pub(super) async fn farm_script() -> Asset {
    asset("text/javascript; charset=utf-8", include_str!("../dashboard/farm.js"))
}
