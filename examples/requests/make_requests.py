#!/usr/bin/env python3
"""Writes requests.csv: what three models cost on the same requests, as a spreadsheet of somebody's would have it.

Columns are separated by semicolons, numbers have decimal commas, the text is Latin-1, lengths of some requests are missing, the language is a
word and urgency is true or false. The cost is what a request cost until it was answered: a model whose answer was of no use was followed by
a person. The small model is of use for short requests in English. Deterministic: the same bytes every time.

    python3 make_requests.py
    gonogo init requests.csv
    gonogo audit requests.csv
"""
import random

CUSTOMERS, REQUESTS = 24, 15
LANGUAGES = ["English", "fran\u00e7ais", "espa\u00f1ol"]


def main():
    draw = random.Random(1)
    lines = ["customer;request;model;cost_eur;length;language;urgent"]
    for customer in range(CUSTOMERS):
        english = 0.3 + 0.5 * draw.random()
        for number in range(REQUESTS):
            length = int(80 * 2 ** (4 * draw.random()))
            language = "English" if draw.random() < english else draw.choice(LANGUAGES[1:])
            urgent = draw.random() < 0.2
            is_easy = length < 400 and language == "English"
            shown = "" if draw.random() < 0.03 else str(length)
            for model, price in [("current", 0.40 + 0.0004 * length), ("small", 0.05 + 0.0001 * length), ("large", 0.65 + 0.0002 * length)]:
                person = 1.2 if model == "small" and not is_easy and draw.random() < 0.7 else 0.0
                cost = f"{price * (0.9 + 0.2 * draw.random()) + person:.4f}".replace(".", ",")
                lines.append(f"customer {customer + 1};r{customer + 1}-{number + 1};{model};{cost};{shown};{language};{urgent}")
    with open("requests.csv", "w", encoding="latin-1", newline="\n") as file:
        file.write("\n".join(lines) + "\n")


if __name__ == "__main__":
    main()
