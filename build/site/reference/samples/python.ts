import { sampleOrigin } from '../../sample-origin.ts';
import type { SampleLanguage } from './sample.ts';

const headers = `headers = {"Authorization": f"Bearer {os.environ['API_KEY']}"}`;

/** For Python 3 and nothing beside it. */
export const python: SampleLanguage = {
  id: 'python',
  name: 'Python',
  write(request) {
    switch (request.kind) {
      case 'redirect':
        return `from urllib.request import urlopen

with urlopen("${sampleOrigin}${request.path}") as response:
    print(response.status, response.url)`;
      case 'exam':
        return `import json
from urllib.request import urlopen

with urlopen("${sampleOrigin}${request.path}") as response:
    exam = json.load(response)
print(exam["label"], exam["years"])`;
      case 'year':
        return `import json
from urllib.request import urlopen

with urlopen("${sampleOrigin}${request.path}") as response:
    year = json.load(response)
for shift in year["shifts"]:
    print(shift["shift"], shift["subjects"], shift["total"])`;
      case 'questions':
        return `import json
import os
from urllib.request import Request, urlopen

${headers}
request = Request("${sampleOrigin}${request.path}", headers=headers)
with urlopen(request) as response:
    paper = json.load(response)
print(paper["shift"], paper["subject"])
for question in paper["questions"]:
    print(question["id"], question["type"], question["topic"])`;
      case 'diagram':
        return `import json
import os
from urllib.request import Request, urlopen

${headers}


def get(path):
    with urlopen(Request("${sampleOrigin}" + path, headers=headers)) as response:
        return response.read()


questions = json.loads(get("${request.questions}"))["questions"]
file = next(diagram["file"] for question in questions for diagram in question["diagrams"])
with open(file, "wb") as image:
    image.write(get(f"${request.folder}/{file}"))`;
    }
  },
};
