use super::examine;
use oxomp_target::plugin::Verdict;

/// The files that this process has loaded.
fn loaded() -> Vec<Vec<u8>> {
    let maps = std::fs::read_to_string("/proc/self/maps").expect("the mappings");
    let paths = maps.lines().filter_map(|line| line.split_whitespace().last());
    let mut paths: Vec<&str> = paths.filter(|path| path.starts_with('/')).collect();
    paths.sort_unstable();
    paths.dedup();
    paths.into_iter().filter_map(|path| std::fs::read(path).ok()).collect()
}

fn long(image: &[u8], at: usize) -> usize {
    u64::from_le_bytes(image[at..at + 8].try_into().expect("8 bytes")) as usize
}

/// Where the image has its entry for a segment of that kind.
fn segment(image: &[u8], kind: u32) -> usize {
    let first = long(image, 32);
    (0..usize::from(image[56]))
        .map(|index| first + 56 * index)
        .find(|at| image[*at..*at + 4] == kind.to_le_bytes())
        .expect("such a segment")
}

#[test]
fn what_the_loader_has_loaded_fits() {
    let files = loaded();
    assert!(files.len() > 2, "the test, the loader and a library of C");
    for file in files.iter().filter(|file| file.starts_with(b"\x7fELF")) {
        assert_eq!(examine(file), Verdict::Fits);
    }
}

#[test]
fn images_of_others_are_foreign() {
    let mut image = std::fs::read("/proc/self/exe").expect("the test itself");
    assert_eq!(examine(b"no image"), Verdict::Foreign);
    image[18] = 190;
    assert_eq!(examine(&image), Verdict::Foreign, "another machine");
    image[18] = std::fs::read("/proc/self/exe").expect("the test itself")[18];
    image[4] = 1;
    assert_eq!(examine(&image), Verdict::Foreign, "of 32 bits");
}

#[test]
fn what_is_cut_off_is_damaged() {
    let image = std::fs::read("/proc/self/exe").expect("the test itself");
    for length in [4, 10, 18, 19, 63, 64, 100, 4096, image.len() / 2, image.len() - 1] {
        let verdict = examine(&image[..length]);
        assert!(matches!(verdict, Verdict::Damaged(_)), "{length} bytes: {verdict:?}");
    }
}

#[test]
fn tables_outside_of_the_image_are_told() {
    let whole = std::fs::read("/proc/self/exe").expect("the test itself");
    let (load, dynamic) = (segment(&whole, 1), segment(&whole, 2));
    // Where a byte is changed, and the message about it.
    let changes = [
        (16, "no shared object"),
        (39, "segments is outside"),
        (47, "sections is outside"),
        (54, "impossible size"),
        (load + 14, "is impossible"),
        (load + 38, "is impossible"),
        (load + 4, "is impossible"),
        (dynamic, "has no dynamic section"),
        (dynamic + 18, "is not in it"),
        (dynamic + 32, "is not in it"),
        (long(&whole, dynamic + 8) + 15, "names are outside"),
    ];
    for (at, said) in changes {
        let mut image = whole.clone();
        image[at] ^= 0x55;
        let Verdict::Damaged(why) = examine(&image) else { panic!("byte {at} is changed") };
        assert!(why.contains(said), "byte {at}: {why}");
    }
}
