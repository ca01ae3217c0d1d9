//! A picture of a page, as a browser draws it.

use std::fs::File;
use std::io::{BufReader, BufWriter};
use std::path::Path;

use anyhow::{Context, Result, bail};

/// The rows that stay below the last one that shows something.
const MARGIN: usize = 16;

/// The bytes of a pixel: red, green and blue.
const PIXEL: usize = 3;

/// A picture.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Image {
    width: usize,
    pixels: Vec<u8>,
}

impl Image {
    /// The picture in the file `from`, without the rows at its end that are like the last one.
    pub(super) fn read(from: &Path) -> Result<Self> {
        let file = File::open(from).with_context(|| from.display().to_string())?;
        let mut reader = png::Decoder::new(BufReader::new(file))
            .read_info()
            .with_context(|| from.display().to_string())?;
        let size = reader.output_buffer_size().context("a picture that is too large")?;
        let mut pixels = vec![0; size];
        let info = reader.next_frame(&mut pixels).with_context(|| from.display().to_string())?;
        let channels = match (info.color_type, info.bit_depth) {
            (png::ColorType::Rgb, png::BitDepth::Eight) => 3,
            (png::ColorType::Rgba, png::BitDepth::Eight) => 4,
            other => bail!("{}: {other:?} is no format of a browser", from.display()),
        };
        // A page has no transparent parts.
        let pixels = pixels.chunks_exact(channels).flat_map(|pixel| &pixel[..PIXEL]).copied();
        Ok(Self { width: info.width as usize, pixels: pixels.collect() }.cut())
    }

    /// The picture without the rows at its end that are like the last one, but for a margin.
    fn cut(mut self) -> Self {
        let bytes = self.width * PIXEL;
        let rows: Vec<&[u8]> = self.pixels.chunks_exact(bytes).collect();
        let empty = rows.iter().rev().take_while(|row| Some(*row) == rows.last()).count();
        let kept = (rows.len() - empty + MARGIN).min(rows.len());
        self.pixels.truncate(kept * bytes);
        self
    }

    /// Puts another picture below this one.
    pub(super) fn append(&mut self, other: Self) -> Result<()> {
        if self.width != other.width {
            bail!("pictures of {} and of {} columns", self.width, other.width);
        }
        self.pixels.extend(other.pixels);
        Ok(())
    }

    /// Writes the picture into a file.
    pub(super) fn write(&self, to: &Path) -> Result<()> {
        let rows = self.pixels.len() / (self.width * PIXEL);
        let file = BufWriter::new(File::create(to).with_context(|| to.display().to_string())?);
        let mut encoder = png::Encoder::new(file, u32::try_from(self.width)?, u32::try_from(rows)?);
        encoder.set_color(png::ColorType::Rgb);
        encoder.set_depth(png::BitDepth::Eight);
        encoder.set_compression(png::Compression::High);
        encoder.write_header()?.write_image_data(&self.pixels)?;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::{Image, MARGIN};

    /// A picture of one column, with a byte for each row.
    fn column(rows: &[u8]) -> Image {
        Image { width: 1, pixels: rows.iter().flat_map(|row| [*row, 7, 8]).collect() }
    }

    #[test]
    fn empty_rows_are_cut_off() {
        let mut rows = [0; 100];
        rows[50] = 1;
        assert_eq!(column(&rows).cut(), column(&rows[..51 + MARGIN]));
        assert_eq!(column(&rows[..52]).cut(), column(&rows[..52]));
        assert_eq!(column(&[]).cut(), column(&[]));
    }

    #[test]
    fn a_picture_is_read_as_it_was_written() {
        let folder = tempfile::tempdir().expect("a folder");
        let file = folder.path().join("a.png");
        let mut image = column(&[1, 2]);
        image.append(column(&[3, 4])).expect("the same width");
        image.write(&file).expect("a file");
        assert_eq!(Image::read(&file).expect("a picture"), column(&[1, 2, 3, 4]));
        assert!(image.append(Image { width: 2, pixels: Vec::new() }).is_err());
    }
}
