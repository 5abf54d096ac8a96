"""Take the picture of the report that the README shows.

Usage: picture.py PAGE.html PICTURE.png [WIDTH HEIGHT]. Needs Debian's chromium and chromium-driver.
"""

import shutil
import sys
from pathlib import Path

from selenium import webdriver
from selenium.webdriver.common.by import By
from selenium.webdriver.support.ui import WebDriverWait


def main() -> None:
    """Open the page, wait until it is drawn, show a point, and save what there is to see."""
    page, picture = Path(sys.argv[1]), sys.argv[2]
    width, height = sys.argv[3:5] or ("1200", "1250")
    options = webdriver.ChromeOptions()
    options.binary_location = str(shutil.which("chromium"))
    for argument in ("--headless=new", "--no-sandbox", f"--window-size={width},{height}"):
        options.add_argument(argument)
    service = webdriver.ChromeService(str(shutil.which("chromedriver")))
    with webdriver.Chrome(options=options, service=service) as browser:
        browser.get(page.resolve().as_uri())
        button = WebDriverWait(browser, 120).until(
            lambda driver: driver.find_element(By.CSS_SELECTOR, "#points .front button")
        )
        browser.execute_script("arguments[0].click(); scrollTo(0, 0)", button)
        browser.save_screenshot(picture)


if __name__ == "__main__":
    main()
