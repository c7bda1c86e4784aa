//! Decompressing a body: gzip, deflate, brotli, zstd.
//!
//! This is done here rather than by the HTTP client, so that one limit and one deadline apply to all four, the decoders
//! are written in Rust, and connections are free meanwhile. The packed body is complete and within the limit. It is
//! unpacked piece by piece, and unpacking stops when the output exceeds the limit or takes too long. A decompression
//! bomb needs at most the limit in memory, plus the decoder's window: 32 KiB, 16 MiB (brotli) or 8 MiB (zstd; RFC 9659
//! allows no more on the web, and our decoder would otherwise allocate what a frame asks for).
//!
//! As in browsers, `deflate` may lack its zlib header, and data after the end of a gzip stream is ignored unless it is
//! another stream. An unknown coding (`Content-Encoding: utf-8` occurs) is ignored. A packed body that ends early is an
//! error, because half a page would look like a complete one.

use brotli_decompressor::Decompressor;
use flate2::bufread::{DeflateDecoder, GzDecoder, ZlibDecoder};
use ruzstd::decoding::{FrameDecoder, StreamingDecoder};
use std::io::{ErrorKind, Read};
use std::time::Instant;

/// The value of `Accept-Encoding`.
pub(crate) const ACCEPTED: &str = "gzip, deflate, br, zstd";

/// The most codings on top of each other.
const MOST_CODINGS: usize = 3;

/// Why a body cannot be unpacked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Failure {
    /// The output is larger than the limit.
    TooLarge,
    /// It takes too long.
    TooLong,
    /// It is damaged, or ends early.
    Damaged(String),
}

/// Limits on unpacking.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Bounds {
    /// Bytes of output.
    pub(crate) bytes: usize,
    /// Is the output cut at the limit? Otherwise more output is an error.
    pub(crate) cut: bool,
    /// When to give up.
    pub(crate) until: Instant,
}

/// Does this header name a coding that is undone here?
pub(crate) fn is_packed(coding: &str) -> bool {
    codings(coding).next().is_some()
}

/// The codings that are undone here, the last applied first.
fn codings(header: &str) -> impl Iterator<Item = &str> {
    let known = |name: &&str| {
        ["gzip", "x-gzip", "deflate", "br", "zstd"]
            .iter()
            .any(|k| k.eq_ignore_ascii_case(name))
    };
    header.split(',').map(str::trim).rev().filter(known)
}

/// Undoes what `Content-Encoding` says was done.
pub(crate) fn unpack(mut body: Vec<u8>, coding: &str, bounds: &Bounds) -> Result<Vec<u8>, Failure> {
    if codings(coding).count() > MOST_CODINGS {
        return Err(Failure::Damaged(format!("it is packed more than {MOST_CODINGS} times")));
    }
    for name in codings(coding) {
        // Some servers name a coding for an empty body.
        if body.is_empty() {
            break;
        }
        let mut out = Out {
            bytes: Vec::with_capacity(body.len().saturating_mul(4).min(bounds.bytes).min(1 << 20)),
            bounds,
        };
        let done = match name.to_ascii_lowercase().as_str() {
            "gzip" | "x-gzip" => gzip(&body, &mut out),
            // The first byte of the header names the method, and both bytes together are a multiple of 31.
            "deflate"
                if body[0] & 0x0F == 8
                    && body.len() > 1
                    && (usize::from(body[0]) << 8 | usize::from(body[1])) % 31 == 0 =>
            {
                out.read(ZlibDecoder::new(body.as_slice()))
            }
            "deflate" => out.read(DeflateDecoder::new(body.as_slice())),
            "br" => out.read(Decompressor::new(body.as_slice(), 4096)),
            _ => zstd(&body, &mut out),
        };
        match done {
            Ok(()) | Err(Stop::Full) => body = out.bytes,
            Err(Stop::Failed(failure)) => return Err(failure),
        }
    }
    Ok(body)
}

/// Why unpacking stopped early.
enum Stop {
    /// There is enough output.
    Full,
    Failed(Failure),
}

fn damaged(why: impl ToString) -> Stop {
    Stop::Failed(Failure::Damaged(why.to_string()))
}

struct Out<'b> {
    bytes: Vec<u8>,
    bounds: &'b Bounds,
}

impl Out<'_> {
    /// Reads all output of a decoder, within the limits.
    fn read(&mut self, mut decoder: impl Read) -> Result<(), Stop> {
        let mut piece = [0; 16 << 10];
        loop {
            if Instant::now() >= self.bounds.until {
                return Err(Stop::Failed(Failure::TooLong));
            }
            match decoder.read(&mut piece) {
                Ok(0) => return Ok(()),
                Ok(n) => {
                    let room = self.bounds.bytes - self.bytes.len();
                    self.bytes.extend_from_slice(&piece[..n.min(room)]);
                    match self.bounds.cut {
                        _ if n <= room => {}
                        true => return Err(Stop::Full),
                        false => return Err(Stop::Failed(Failure::TooLarge)),
                    }
                }
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                Err(error) if error.kind() == ErrorKind::UnexpectedEof => return Err(damaged("it ends early")),
                Err(error) => return Err(damaged(error)),
            }
        }
    }
}

fn gzip(mut body: &[u8], out: &mut Out) -> Result<(), Stop> {
    loop {
        let mut decoder = GzDecoder::new(body);
        out.read(&mut decoder)?;
        body = decoder.into_inner();
        if !body.starts_with(&[0x1F, 0x8B]) {
            return Ok(());
        }
    }
}

fn zstd(mut body: &[u8], out: &mut Out) -> Result<(), Stop> {
    let mut decoder = FrameDecoder::new();
    while !body.is_empty() {
        // A frame to skip: a magic number, a length, and data.
        if let [0x50..=0x5F, 0x2A, 0x4D, 0x18, a, b, c, d, rest @ ..] = body {
            let length = u32::from_le_bytes([*a, *b, *c, *d]) as usize;
            body = rest.get(length..).ok_or_else(|| damaged("it ends early"))?;
            continue;
        }
        let window = zstd_window(body).ok_or_else(|| damaged("it is not zstd"))?;
        if window > (8 << 20).max(out.bounds.bytes as u64) {
            return Err(damaged("its window is larger than 8 MiB"));
        }
        let stream = StreamingDecoder::new_with_decoder(&mut body, &mut decoder).map_err(damaged)?;
        out.read(stream)?;
    }
    Ok(())
}

/// The window size of a frame (RFC 8878 3.1.1.1), which its decoder allocates.
fn zstd_window(frame: &[u8]) -> Option<u64> {
    let (header, rest) = frame.strip_prefix(&[0x28, 0xB5, 0x2F, 0xFD])?.split_first()?;
    let single_segment = header & 0x20 != 0;
    if !single_segment {
        let descriptor = *rest.first()?;
        let base = 1u64 << (10 + (descriptor >> 3));
        return Some(base + base / 8 * u64::from(descriptor & 7));
    }
    let size_at = [0, 1, 2, 4][usize::from(header & 3)];
    let size_bytes = [1, 2, 4, 8][usize::from(header >> 6)];
    let bytes = rest.get(size_at..size_at + size_bytes)?;
    let size = bytes.iter().rev().fold(0u64, |size, byte| size << 8 | u64::from(*byte));
    Some(if size_bytes == 2 { size + 256 } else { size })
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;
    use flate2::Compression;
    use flate2::write::{DeflateEncoder, GzEncoder, ZlibEncoder};
    use std::io::Write;
    use std::time::Duration;

    const TEXT: &[u8] = "<p>gepackt ä".as_bytes();
    /// `TEXT` by the reference encoder.
    const BROTLI: &[u8] = &[
        11, 6, 128, 60, 112, 62, 103, 101, 112, 97, 99, 107, 116, 32, 195, 164, 3,
    ];
    /// 64 MiB of `x` by the reference encoder.
    const BROTLI_BOMB: &[u8] = &[
        203, 255, 255, 63, 248, 37, 240, 226, 177, 64, 32, 247, 254, 143, 255, 255, 127, 240, 75, 0, 196, 97, 17, 128,
        238, 253, 31, 255, 255, 255, 224, 151, 0, 136, 195, 2, 0, 221, 251, 63, 254, 255, 255, 193, 47, 1, 16, 135, 5,
        0, 186, 247, 127, 252, 255, 255, 131, 95, 2, 32, 14, 11, 0, 116, 239, 255, 248, 255, 255, 7, 191, 4, 64, 28,
        22, 0, 232, 222, 255, 241, 255, 255, 15, 126, 9, 128, 56, 44, 0, 208, 189, 255, 227, 255, 255, 31, 252, 18, 0,
        113, 88, 0, 160, 123, 255, 55,
    ];

    fn bounds(bytes: usize) -> Bounds {
        Bounds {
            bytes,
            cut: false,
            until: Instant::now() + Duration::from_secs(60),
        }
    }

    fn gzipped(bytes: &[u8]) -> Vec<u8> {
        let mut encoder = GzEncoder::new(Vec::new(), Compression::fast());
        encoder.write_all(bytes).unwrap();
        encoder.finish().unwrap()
    }

    fn zlibbed(bytes: &[u8]) -> Vec<u8> {
        let mut encoder = ZlibEncoder::new(Vec::new(), Compression::fast());
        encoder.write_all(bytes).unwrap();
        encoder.finish().unwrap()
    }

    fn deflated(bytes: &[u8]) -> Vec<u8> {
        let mut encoder = DeflateEncoder::new(Vec::new(), Compression::fast());
        encoder.write_all(bytes).unwrap();
        encoder.finish().unwrap()
    }

    fn zstded(bytes: &[u8]) -> Vec<u8> {
        ruzstd::encoding::compress_to_vec(bytes, ruzstd::encoding::CompressionLevel::Fastest)
    }

    #[test]
    fn all_codings() {
        let skipped = [&[0x51, 0x2A, 0x4D, 0x18, 2, 0, 0, 0, 9, 9], zstded(TEXT).as_slice()].concat();
        let rows = [
            ("gzip", gzipped(TEXT), 1),
            ("X-GZip", gzipped(TEXT), 1),
            ("gzip", [gzipped(TEXT), gzipped(TEXT)].concat(), 2),
            ("gzip", [&*gzipped(TEXT), b"rubbish"].concat(), 1),
            ("deflate", zlibbed(TEXT), 1),
            ("deflate", deflated(TEXT), 1),
            ("br", BROTLI.to_vec(), 1),
            ("zstd", zstded(TEXT), 1),
            ("zstd", [zstded(TEXT), zstded(TEXT)].concat(), 2),
            ("zstd", skipped, 1),
            ("deflate, gzip", gzipped(&zlibbed(TEXT)), 1),
            ("identity", TEXT.to_vec(), 1),
            ("utf-8", TEXT.to_vec(), 1),
            ("", TEXT.to_vec(), 1),
        ];
        for (coding, body, times) in rows {
            assert_eq!(
                unpack(body, coding, &bounds(1000)).unwrap(),
                TEXT.repeat(times),
                "{coding}"
            );
        }
        assert_eq!(unpack(Vec::new(), "gzip", &bounds(9)).unwrap(), b"");
        assert!(is_packed("GZIP") && !is_packed("identity"));
    }

    #[test]
    fn bombs_are_stopped() {
        let xs = vec![b'x'; 8 << 20];
        let rows = [
            ("gzip", gzipped(&xs)),
            ("deflate", zlibbed(&xs)),
            ("br", BROTLI_BOMB.to_vec()),
            ("zstd", zstded(&xs)),
            ("gzip, gzip", gzipped(&gzipped(&xs))),
        ];
        for (coding, body) in rows {
            assert_eq!(
                unpack(body.clone(), coding, &bounds(1 << 20)),
                Err(Failure::TooLarge),
                "{coding}"
            );
            let cut = Bounds {
                cut: true,
                ..bounds(1000)
            };
            if coding != "gzip, gzip" {
                assert_eq!(unpack(body.clone(), coding, &cut).unwrap(), xs[..1000], "{coding}");
            }
            let late = Bounds {
                until: Instant::now(),
                ..bounds(1 << 20)
            };
            assert_eq!(unpack(body, coding, &late), Err(Failure::TooLong), "{coding}");
        }
        let many = unpack(gzipped(TEXT), "gzip, gzip, gzip, gzip", &bounds(1000));
        assert_eq!(many, Err(Failure::Damaged("it is packed more than 3 times".into())));
        // Windows of 2 GiB and of what a single segment claims.
        for header in [
            &[0x28, 0xB5, 0x2F, 0xFD, 0x00, 0xA8, 1, 0, 0][..],
            &[0x28, 0xB5, 0x2F, 0xFD, 0xA0, 0, 0, 0, 0x7F, 1, 0, 0],
        ] {
            let found = unpack(header.to_vec(), "zstd", &bounds(1000));
            assert_eq!(found, Err(Failure::Damaged("its window is larger than 8 MiB".into())));
        }
    }

    #[test]
    fn damage_is_an_error_and_never_a_panic() {
        let long: Vec<u8> = (0..2000u32)
            .flat_map(|n| format!("{} ", n * n % 97).into_bytes())
            .collect();
        let rows = [
            ("gzip", gzipped(&long)),
            ("deflate", zlibbed(&long)),
            ("br", BROTLI.to_vec()),
            ("zstd", zstded(&long)),
        ];
        for (coding, body) in rows {
            for end in 1..body.len().min(300) {
                let found = unpack(body[..end].to_vec(), coding, &bounds(1 << 20));
                assert!(
                    matches!(found, Err(Failure::Damaged(_))),
                    "{coding} cut at {end}: {found:?}"
                );
            }
            // Every kind of damage that a simple generator comes upon.
            let mut seed = 7u64;
            for _ in 0..500 {
                let mut broken = body.clone();
                for _ in 0..3 {
                    seed = seed.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
                    let at = (seed >> 33) as usize % broken.len();
                    broken[at] ^= (seed >> 20) as u8;
                }
                let _ = unpack(broken, coding, &bounds(1 << 16));
            }
        }
    }
}
