//! Any bytes are a picture: both decoders give pixels that fit their size, or a named error.
#![no_main]

use libfuzzer_sys::fuzz_target;
use tapwright::adb::reply::parse_picture;
use tapwright::vision::decode_png;

fuzz_target!(|bytes: &[u8]| {
    for picture in [decode_png(bytes).ok(), parse_picture(bytes).ok()].into_iter().flatten() {
        let size = picture.size();
        assert_eq!(picture.rgba().len() as u64, 4 * u64::from(size.width) * u64::from(size.height));
    }
});
