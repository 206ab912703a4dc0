/**
 * The API's types for clients, made from its description: `npm run client-types`. With openapi-fetch:
 * `createClient<paths>({ baseUrl })`.
 */

export interface paths {
    "/": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * A redirect
         * @description Leads to this reference.
         */
        get: operations["redirectToReference"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/{exam}": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The exam code alone, not combined with a year. */
                exam: components["parameters"]["exam"];
            };
            cookie?: never;
        };
        /**
         * The years of an exam
         * @description Lists the years that the bank has of an exam, newest first.
         */
        get: operations["getExam"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/{exam}/{year}": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The exam code alone, not combined with a year. */
                exam: components["parameters"]["exam"];
                /** @description The year, four digits. */
                year: components["parameters"]["year"];
            };
            cookie?: never;
        };
        /**
         * The shifts of a year
         * @description Lists the shifts of a year in chronological order, each with its subjects, the number of its questions, and a checksum that changes when they do.
         */
        get: operations["getYear"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/{exam}/{year}/{shift}/{file}": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The exam code alone, not combined with a year. */
                exam: components["parameters"]["exam"];
                /** @description The year, four digits. */
                year: components["parameters"]["year"];
                /** @description The full name of the shift, or a short form of it: its number in the year, month and day, or any beginning of the name. See Naming a shift. */
                shift: components["parameters"]["shift"];
                /** @description The name of a subject file: the subject, and `.json`. `GET /{exam}/{year}` lists the subjects of each shift. */
                file: components["parameters"]["file"];
            };
            cookie?: never;
        };
        /**
         * The questions of a subject
         * @description The questions of one subject in one shift, with options, answers and what diagrams they have. The questions of the example are invented.
         */
        get: operations["getQuestions"];
        put?: never;
        post?: never;
        delete?: never;
        /**
         * The questions of a subject: may a script ask?
         * @description The preflight that a browser sends by itself before a script of another origin sends a key. It is answered where the service lists that origin; any other `OPTIONS` is refused as a method.
         */
        options: operations["askForQuestions"];
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/{exam}/{year}/{shift}/diagrams/{filename}": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The exam code alone, not combined with a year. */
                exam: components["parameters"]["exam"];
                /** @description The year, four digits. */
                year: components["parameters"]["year"];
                /** @description The full name of the shift, or a short form of it: its number in the year, month and day, or any beginning of the name. See Naming a shift. */
                shift: components["parameters"]["shift"];
                /** @description The name of an image file, as `diagrams[].file` of a question has it. It contains the id of its question. */
                filename: components["parameters"]["filename"];
            };
            cookie?: never;
        };
        /**
         * A diagram
         * @description An image that a question names in `diagrams`, under the same shift as its question file.
         */
        get: operations["getDiagram"];
        put?: never;
        post?: never;
        delete?: never;
        /**
         * A diagram: may a script ask?
         * @description The preflight that a browser sends by itself before a script of another origin sends a key. It is answered where the service lists that origin; any other `OPTIONS` is refused as a method.
         */
        options: operations["askForDiagram"];
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export type webhooks = Record<string, never>;
export interface components {
    schemas: {
        /**
         * Exam years
         * @description The years of an exam.
         */
        ExamYears: {
            /** @description The exam code, as in the path. */
            exam: string;
            /** @description The display name of the exam. */
            label: string;
            /** @description The years that the bank has, newest first. */
            years: number[];
            /** @description The number of entries in `years`. */
            totalYears: number;
        };
        /**
         * Year shifts
         * @description The shifts of a year.
         */
        YearShifts: {
            /** @description The exam code, as in the path. */
            exam: string;
            /** @description The year, of four digits. */
            year: number;
            /** @description The shifts of the year, in chronological order. */
            shifts: components["schemas"]["ShiftSummary"][];
        };
        /**
         * Shift summary
         * @description What a shift consists of.
         */
        ShiftSummary: {
            /** @description The full name of the shift, `<YYYY>-<MM>-<DD>-s<n>`. */
            shift: string;
            /** @description The subjects of the shift, in the order of the exam. */
            subjects: string[];
            /** @description The number of questions in the shift. */
            total: number;
            /**
             * Format: date
             * @description The day on which any file of the shift last changed.
             */
            lastUpdated: string;
            /** @description Changes when any question file of the shift does; see Checksums. */
            checksum: string;
        };
        /**
         * Question file
         * @description The questions of one subject in one shift.
         */
        QuestionFile: {
            /** @description The exam code, as in the path. */
            exam: string;
            /** @description The year, of four digits. */
            year: number;
            /** @description The full name of the shift, `<YYYY>-<MM>-<DD>-s<n>`, whichever short form was asked for. */
            shift: string;
            /** @description The name of the subject: that of its file, without `.json`. */
            subject: string;
            /** @description The number of questions in this file. */
            total: number;
            /** @description The questions, in the order of the paper. */
            questions: components["schemas"]["Question"][];
            metadata: components["schemas"]["Metadata"];
        };
        /**
         * Question
         * @description One question. Its `type` decides what `options` and `answer` look like.
         */
        Question: {
            /** @description The question's identifier, unique in the whole bank, made of letters, digits, `-` and `_`, as in `<exam>-<shift>-<subject>-<number>`. The names of its diagrams contain it. */
            id: string;
            /**
             * @description The kind of question: `mcq` has one right option, `msq` may have several, `numerical` is answered with a number.
             * @enum {string}
             */
            type: "mcq" | "msq" | "numerical";
            /** @description The question's text. Formulas are LaTeX between `$...$` or `$$...$$`, in the KaTeX dialect. No HTML. */
            question: string;
            /** @description The options to choose from, in the order of the paper; `[]` for a numerical question. */
            options: components["schemas"]["Option"][];
            /** @description The key. `mcq`: the key of the right option, `C`. `msq`: the keys of all right options in order, `A,C`. `numerical`: a decimal number, `-2.5`. */
            answer: string;
            /** @description The topic that the question belongs to: `Current Electricity`. */
            topic: string;
            /**
             * @description How hard the question is.
             * @enum {string}
             */
            difficulty: "easy" | "medium" | "hard";
            /** @description Whether the question has diagrams. */
            hasDiagram: boolean;
            /** @description The diagrams of the question, in the order in which the text refers to them; empty when `hasDiagram` is false. */
            diagrams: components["schemas"]["Diagram"][];
            /** @description Every answer that scores, `answer` among them, when the exam body accepted more than one. Left out otherwise. */
            accepted?: string[];
            /**
             * @description Present, and `true`, when the exam body withdrew the question.
             * @constant
             */
            dropped?: true;
        } & ({
            /** @constant */
            type: "mcq";
            options?: unknown;
            answer?: components["schemas"]["OneKey"];
            accepted?: unknown;
        } | {
            /** @constant */
            type: "msq";
            options?: unknown;
            answer?: components["schemas"]["Keys"];
            accepted?: unknown;
        } | {
            /** @constant */
            type: "numerical";
            options?: unknown;
            answer?: components["schemas"]["Decimal"];
            accepted?: unknown;
        });
        /**
         * Option
         * @description One option to choose.
         */
        Option: {
            key: components["schemas"]["OneKey"];
            /** @description The option's text, with formulas as in the question. */
            value: string;
        };
        /**
         * Diagram
         * @description An image that belongs to the question. Its bytes are answered by the diagram endpoint.
         */
        Diagram: {
            /** @description The image's file name. It contains the question's id and ends in .png, .jpg, .jpeg, .webp, .gif, .avif or .svg. */
            file: string;
            /** @description What the image shows, for those who cannot see it: enough to answer the question, without giving the answer away. */
            alt: string;
            /**
             * @description The media type of the image.
             * @enum {string}
             */
            mediaType: "image/png" | "image/jpeg" | "image/webp" | "image/gif" | "image/avif" | "image/svg+xml";
            /** @description The width in pixels. */
            width: number;
            /** @description The height in pixels. */
            height: number;
            /** @description Over the bytes of the image; see Checksums. */
            checksum: string;
        };
        /**
         * Metadata
         * @description What a question file says of itself.
         */
        Metadata: {
            /**
             * Format: date
             * @description The day of the exam.
             */
            examDate: string;
            /** @description The number of questions in the file. */
            totalQuestions: number;
            /**
             * Format: date-time
             * @description When the content of the file last changed: ISO 8601 in UTC.
             */
            lastUpdated: string;
            /** @description Over the canonical JSON of `questions`; see Checksums. */
            checksum: string;
        };
        /** @description The key of one option: a capital letter. */
        OneKey: string;
        /** @description The keys of one or more options, in order, joined by commas: `A,C`. */
        Keys: string;
        /** @description A decimal number: `12`, `-0.5`. */
        Decimal: string;
        /**
         * Error
         * @description The body of every error.
         */
        Error: {
            /** @description What went wrong, for a person to read. */
            error: string;
        };
    };
    responses: never;
    parameters: {
        /** @description The exam code alone, not combined with a year. */
        exam: string;
        /** @description The year, four digits. */
        year: number;
        /** @description The full name of the shift, or a short form of it: its number in the year, month and day, or any beginning of the name. See Naming a shift. */
        shift: string;
        /** @description The name of a subject file: the subject, and `.json`. `GET /{exam}/{year}` lists the subjects of each shift. */
        file: string;
        /** @description The name of an image file, as `diagrams[].file` of a question has it. It contains the id of its question. */
        filename: string;
        /** @description The `ETag` of an answer that you have: if it is current still, the answer is a bare 304. */
        ifNoneMatch: string;
        /** @description The origin of the page that the script runs in. */
        origin: string;
        /** @description The method that the script wants to use. */
        requestMethod: string;
        /** @description The header fields that the script wants to send. */
        requestFields: string;
    };
    requestBodies: never;
    headers: {
        /**
         * @description The body is what `Content-Type` says.
         * @example nosniff
         */
        ContentTypeOptions: "nosniff";
        /**
         * @description Names these very bytes. Sent back in `If-None-Match`, an unchanged answer costs a bare 304. Each content coding has a tag of its own.
         * @example "0123456789abcdef0123456789abcdef"
         */
        ETag: string;
        /**
         * @description The coding chosen by `Accept-Encoding`; absent when the bytes are sent as they are.
         * @example br
         */
        ContentEncoding: "br" | "gzip";
        /**
         * @description Any cache may keep the answer.
         * @example public, max-age=300, stale-while-revalidate=86400
         */
        CachePublic: "public, max-age=300, stale-while-revalidate=86400";
        /**
         * @description Your own cache may keep the answer, and asks about it each time.
         * @example private, no-cache
         */
        CacheProtected: "private, no-cache";
        /**
         * @description What is missing may appear with the next release.
         * @example public, max-age=60
         */
        CacheMissing: "public, max-age=60";
        /**
         * @description No cache keeps an error.
         * @example no-store
         */
        CacheError: "no-store";
        /**
         * @description The answer depends on this field of the request.
         * @example Accept-Encoding
         */
        VaryPublic: "Accept-Encoding";
        /**
         * @description The answer depends on these fields of the request.
         * @example Authorization, Accept-Encoding
         */
        VaryProtected: string;
        /**
         * @description The answer depends on this field of the request.
         * @example Origin
         */
        VaryPreflight: "Origin";
        /**
         * @description Where the service lists origins, the answer depends on that of the request.
         * @example Origin
         */
        VaryOrigin: "Origin";
        /**
         * @description What the answer would have depended on.
         * @example Accept-Encoding
         */
        VaryFault: string;
        /**
         * @description Scripts of any origin may read the answer.
         * @example *
         */
        AnyOrigin: "*";
        /**
         * @description The origin of the request, where the service lists it: its scripts may read the answer.
         * @example https://app.example.org
         */
        ListedOrigin: string;
        /**
         * @description The origin of the request, which the service lists.
         * @example https://app.example.org
         */
        AskingOrigin: string;
        /**
         * @description What scripts of a listed origin may do.
         * @example GET
         */
        AllowedMethods: "GET";
        /**
         * @description The fields that scripts of a listed origin may send.
         * @example Authorization, If-None-Match
         */
        AllowedFields: "Authorization, If-None-Match";
        /**
         * @description Seconds for which a browser need not ask again.
         * @example 600
         */
        PreflightAge: 600;
        /**
         * @description The fields that scripts of a listed origin may read.
         * @example ETag, RateLimit, RateLimit-Policy, Retry-After, X-Request-Id
         */
        ExposedFields: "ETag, RateLimit, RateLimit-Policy, Retry-After, X-Request-Id";
        /**
         * @description The limits of your plan: `q` requests in `w` seconds; a calendar month is as long as it is. In the form of draft-ietf-httpapi-ratelimit-headers-08.
         * @example "rate";q=2;w=1, "quota";q=1000;w=2592000
         */
        RateLimitPolicy: string;
        /**
         * @description What is left: `r` requests, and `t` seconds until there are more. The limit that is nearest to its end comes first.
         * @example "rate";r=1;t=1, "quota";r=999;t=864000
         */
        RateLimit: string;
        /**
         * @description The limits of your plan: `q` requests in `w` seconds; a calendar month is as long as it is. In the form of draft-ietf-httpapi-ratelimit-headers-08.
         * @example "rate";q=2;w=1, "quota";q=1000;w=2592000
         */
        RateLimitPolicyFault: string;
        /**
         * @description What is left: `r` requests, and `t` seconds until there are more. The limit that is nearest to its end comes first.
         * @example "rate";r=1;t=1, "quota";r=999;t=864000
         */
        RateLimitFault: string;
        /**
         * @description Seconds until a next request can be accepted.
         * @example 1
         */
        RetryAfter: number;
        /**
         * @description Names this request in the log of the service: tell it to the operator. A proxy that answers in its place has none.
         * @example 5c1f6a52-9f0b-4c8e-a3d1-7b2e94f0c6d8
         */
        RequestId: string;
        /**
         * @description The scheme by which a key is sent.
         * @example Bearer
         */
        Authenticate: "Bearer";
        /**
         * @description The one method there is.
         * @example GET
         */
        Allow: "GET";
        /**
         * @description The address of the reference.
         * @example /docs/
         */
        Location: string;
        /**
         * @description Of an SVG alone: opened by itself, it runs and loads nothing.
         * @example default-src 'none'; style-src 'unsafe-inline'; sandbox
         */
        DrawingPolicy: "default-src 'none'; style-src 'unsafe-inline'; sandbox";
    };
    pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
    redirectToReference: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The reference is at `Location`. */
            302: {
                headers: {
                    "X-Content-Type-Options": components["headers"]["ContentTypeOptions"];
                    Location: components["headers"]["Location"];
                    "Cache-Control": components["headers"]["CachePublic"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The path does not decode, holds an empty or dot segment, or has the shape of no endpoint. The request is not valid HTTP. */
            400: {
                headers: {
                    "X-Content-Type-Options": components["headers"]["ContentTypeOptions"];
                    "Cache-Control": components["headers"]["CacheError"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The method is not GET. */
            405: {
                headers: {
                    "X-Content-Type-Options": components["headers"]["ContentTypeOptions"];
                    Allow: components["headers"]["Allow"];
                    "Cache-Control": components["headers"]["CacheError"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The request did not arrive in time. */
            408: {
                headers: {
                    "X-Content-Type-Options": components["headers"]["ContentTypeOptions"];
                    "Cache-Control": components["headers"]["CacheError"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The service is at fault; trying again later may help. */
            500: {
                headers: {
                    "X-Content-Type-Options": components["headers"]["ContentTypeOptions"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    "Cache-Control": components["headers"]["CacheError"];
                    Vary: components["headers"]["VaryFault"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Anything else is an error. */
            default: {
                headers: {
                    "X-Content-Type-Options": components["headers"]["ContentTypeOptions"];
                    "Cache-Control": components["headers"]["CacheError"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getExam: {
        parameters: {
            query?: never;
            header?: {
                /** @description The `ETag` of an answer that you have: if it is current still, the answer is a bare 304. */
                "If-None-Match"?: components["parameters"]["ifNoneMatch"];
            };
            path: {
                /** @description The exam code alone, not combined with a year. */
                exam: components["parameters"]["exam"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The years of an exam. */
            200: {
                headers: {
                    "X-Content-Type-Options": components["headers"]["ContentTypeOptions"];
                    ETag: components["headers"]["ETag"];
                    "Cache-Control": components["headers"]["CachePublic"];
                    Vary: components["headers"]["VaryPublic"];
                    "Access-Control-Allow-Origin": components["headers"]["AnyOrigin"];
                    "Content-Encoding": components["headers"]["ContentEncoding"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ExamYears"];
                };
            };
            /** @description What `If-None-Match` names is current still. */
            304: {
                headers: {
                    "X-Content-Type-Options": components["headers"]["ContentTypeOptions"];
                    ETag: components["headers"]["ETag"];
                    "Cache-Control": components["headers"]["CachePublic"];
                    Vary: components["headers"]["VaryPublic"];
                    "Access-Control-Allow-Origin": components["headers"]["AnyOrigin"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The path does not decode, holds an empty or dot segment, or has the shape of no endpoint. The request is not valid HTTP. */
            400: {
                headers: {
                    "X-Content-Type-Options": components["headers"]["ContentTypeOptions"];
                    "Cache-Control": components["headers"]["CacheError"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The bank has no such exam. */
            404: {
                headers: {
                    "X-Content-Type-Options": components["headers"]["ContentTypeOptions"];
                    "Cache-Control": components["headers"]["CacheMissing"];
                    "Access-Control-Allow-Origin": components["headers"]["AnyOrigin"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The method is not GET. */
            405: {
                headers: {
                    "X-Content-Type-Options": components["headers"]["ContentTypeOptions"];
                    Allow: components["headers"]["Allow"];
                    "Cache-Control": components["headers"]["CacheError"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The request did not arrive in time. */
            408: {
                headers: {
                    "X-Content-Type-Options": components["headers"]["ContentTypeOptions"];
                    "Cache-Control": components["headers"]["CacheError"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The service is at fault; trying again later may help. */
            500: {
                headers: {
                    "X-Content-Type-Options": components["headers"]["ContentTypeOptions"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    "Cache-Control": components["headers"]["CacheError"];
                    Vary: components["headers"]["VaryFault"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getYear: {
        parameters: {
            query?: never;
            header?: {
                /** @description The `ETag` of an answer that you have: if it is current still, the answer is a bare 304. */
                "If-None-Match"?: components["parameters"]["ifNoneMatch"];
            };
            path: {
                /** @description The exam code alone, not combined with a year. */
                exam: components["parameters"]["exam"];
                /** @description The year, four digits. */
                year: components["parameters"]["year"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The shifts of a year. */
            200: {
                headers: {
                    "X-Content-Type-Options": components["headers"]["ContentTypeOptions"];
                    ETag: components["headers"]["ETag"];
                    "Cache-Control": components["headers"]["CachePublic"];
                    Vary: components["headers"]["VaryPublic"];
                    "Access-Control-Allow-Origin": components["headers"]["AnyOrigin"];
                    "Content-Encoding": components["headers"]["ContentEncoding"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["YearShifts"];
                };
            };
            /** @description What `If-None-Match` names is current still. */
            304: {
                headers: {
                    "X-Content-Type-Options": components["headers"]["ContentTypeOptions"];
                    ETag: components["headers"]["ETag"];
                    "Cache-Control": components["headers"]["CachePublic"];
                    Vary: components["headers"]["VaryPublic"];
                    "Access-Control-Allow-Origin": components["headers"]["AnyOrigin"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The path does not decode, holds an empty or dot segment, or has the shape of no endpoint. The request is not valid HTTP. The year is not four digits. */
            400: {
                headers: {
                    "X-Content-Type-Options": components["headers"]["ContentTypeOptions"];
                    "Cache-Control": components["headers"]["CacheError"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The bank has no such exam. The exam has no papers of that year. */
            404: {
                headers: {
                    "X-Content-Type-Options": components["headers"]["ContentTypeOptions"];
                    "Cache-Control": components["headers"]["CacheMissing"];
                    "Access-Control-Allow-Origin": components["headers"]["AnyOrigin"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The method is not GET. */
            405: {
                headers: {
                    "X-Content-Type-Options": components["headers"]["ContentTypeOptions"];
                    Allow: components["headers"]["Allow"];
                    "Cache-Control": components["headers"]["CacheError"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The request did not arrive in time. */
            408: {
                headers: {
                    "X-Content-Type-Options": components["headers"]["ContentTypeOptions"];
                    "Cache-Control": components["headers"]["CacheError"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The service is at fault; trying again later may help. */
            500: {
                headers: {
                    "X-Content-Type-Options": components["headers"]["ContentTypeOptions"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    "Cache-Control": components["headers"]["CacheError"];
                    Vary: components["headers"]["VaryFault"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getQuestions: {
        parameters: {
            query?: never;
            header?: {
                /** @description The `ETag` of an answer that you have: if it is current still, the answer is a bare 304. */
                "If-None-Match"?: components["parameters"]["ifNoneMatch"];
            };
            path: {
                /** @description The exam code alone, not combined with a year. */
                exam: components["parameters"]["exam"];
                /** @description The year, four digits. */
                year: components["parameters"]["year"];
                /** @description The full name of the shift, or a short form of it: its number in the year, month and day, or any beginning of the name. See Naming a shift. */
                shift: components["parameters"]["shift"];
                /** @description The name of a subject file: the subject, and `.json`. `GET /{exam}/{year}` lists the subjects of each shift. */
                file: components["parameters"]["file"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The questions. */
            200: {
                headers: {
                    "X-Content-Type-Options": components["headers"]["ContentTypeOptions"];
                    ETag: components["headers"]["ETag"];
                    "Cache-Control": components["headers"]["CacheProtected"];
                    Vary: components["headers"]["VaryProtected"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "Access-Control-Allow-Origin": components["headers"]["ListedOrigin"];
                    "Access-Control-Expose-Headers": components["headers"]["ExposedFields"];
                    "Content-Encoding": components["headers"]["ContentEncoding"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["QuestionFile"];
                };
            };
            /** @description What `If-None-Match` names is current still. */
            304: {
                headers: {
                    "X-Content-Type-Options": components["headers"]["ContentTypeOptions"];
                    ETag: components["headers"]["ETag"];
                    "Cache-Control": components["headers"]["CacheProtected"];
                    Vary: components["headers"]["VaryProtected"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "Access-Control-Allow-Origin": components["headers"]["ListedOrigin"];
                    "Access-Control-Expose-Headers": components["headers"]["ExposedFields"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The path does not decode, holds an empty or dot segment, or has the shape of no endpoint. The request is not valid HTTP. The year is not four digits. */
            400: {
                headers: {
                    "X-Content-Type-Options": components["headers"]["ContentTypeOptions"];
                    "Cache-Control": components["headers"]["CacheError"];
                    "Access-Control-Allow-Origin": components["headers"]["ListedOrigin"];
                    "Access-Control-Expose-Headers": components["headers"]["ExposedFields"];
                    Vary: components["headers"]["VaryOrigin"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description There is no Authorization header. The header is not of the form Bearer <API_KEY>. */
            401: {
                headers: {
                    "X-Content-Type-Options": components["headers"]["ContentTypeOptions"];
                    "WWW-Authenticate": components["headers"]["Authenticate"];
                    "Cache-Control": components["headers"]["CacheError"];
                    "Access-Control-Allow-Origin": components["headers"]["ListedOrigin"];
                    "Access-Control-Expose-Headers": components["headers"]["ExposedFields"];
                    Vary: components["headers"]["VaryOrigin"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The key is unknown, revoked or expired. */
            403: {
                headers: {
                    "X-Content-Type-Options": components["headers"]["ContentTypeOptions"];
                    "Cache-Control": components["headers"]["CacheError"];
                    "Access-Control-Allow-Origin": components["headers"]["ListedOrigin"];
                    "Access-Control-Expose-Headers": components["headers"]["ExposedFields"];
                    Vary: components["headers"]["VaryOrigin"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The bank has no such exam. The exam has no papers of that year. The shift identifier matches no shift. The file does not exist for the shift. */
            404: {
                headers: {
                    "X-Content-Type-Options": components["headers"]["ContentTypeOptions"];
                    "Cache-Control": components["headers"]["CacheError"];
                    "Access-Control-Allow-Origin": components["headers"]["ListedOrigin"];
                    "Access-Control-Expose-Headers": components["headers"]["ExposedFields"];
                    Vary: components["headers"]["VaryOrigin"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The method is not GET. */
            405: {
                headers: {
                    "X-Content-Type-Options": components["headers"]["ContentTypeOptions"];
                    Allow: components["headers"]["Allow"];
                    "Cache-Control": components["headers"]["CacheError"];
                    "Access-Control-Allow-Origin": components["headers"]["ListedOrigin"];
                    "Access-Control-Expose-Headers": components["headers"]["ExposedFields"];
                    Vary: components["headers"]["VaryOrigin"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The request did not arrive in time. */
            408: {
                headers: {
                    "X-Content-Type-Options": components["headers"]["ContentTypeOptions"];
                    "Cache-Control": components["headers"]["CacheError"];
                    "Access-Control-Allow-Origin": components["headers"]["ListedOrigin"];
                    "Access-Control-Expose-Headers": components["headers"]["ExposedFields"];
                    Vary: components["headers"]["VaryOrigin"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The rate or the monthly quota of the plan is spent, or too many requests with keys that are none came from one address. Retry-After says when to come again. */
            429: {
                headers: {
                    "X-Content-Type-Options": components["headers"]["ContentTypeOptions"];
                    "Cache-Control": components["headers"]["CacheError"];
                    "Access-Control-Allow-Origin": components["headers"]["ListedOrigin"];
                    "Access-Control-Expose-Headers": components["headers"]["ExposedFields"];
                    Vary: components["headers"]["VaryOrigin"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicyFault"];
                    RateLimit: components["headers"]["RateLimitFault"];
                    "Retry-After": components["headers"]["RetryAfter"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The service is at fault; trying again later may help. */
            500: {
                headers: {
                    "X-Content-Type-Options": components["headers"]["ContentTypeOptions"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    "Cache-Control": components["headers"]["CacheError"];
                    "Access-Control-Allow-Origin": components["headers"]["ListedOrigin"];
                    "Access-Control-Expose-Headers": components["headers"]["ExposedFields"];
                    Vary: components["headers"]["VaryFault"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicyFault"];
                    RateLimit: components["headers"]["RateLimitFault"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The key could not be checked; it may well be valid. Try again. */
            502: {
                headers: {
                    "X-Content-Type-Options": components["headers"]["ContentTypeOptions"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    "Cache-Control": components["headers"]["CacheError"];
                    "Access-Control-Allow-Origin": components["headers"]["ListedOrigin"];
                    "Access-Control-Expose-Headers": components["headers"]["ExposedFields"];
                    Vary: components["headers"]["VaryOrigin"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    askForQuestions: {
        parameters: {
            query?: never;
            header: {
                /** @description The origin of the page that the script runs in. */
                Origin: components["parameters"]["origin"];
                /** @description The method that the script wants to use. */
                "Access-Control-Request-Method": components["parameters"]["requestMethod"];
                /** @description The header fields that the script wants to send. */
                "Access-Control-Request-Headers"?: components["parameters"]["requestFields"];
            };
            path: {
                /** @description The exam code alone, not combined with a year. */
                exam: components["parameters"]["exam"];
                /** @description The year, four digits. */
                year: components["parameters"]["year"];
                /** @description The full name of the shift, or a short form of it: its number in the year, month and day, or any beginning of the name. See Naming a shift. */
                shift: components["parameters"]["shift"];
                /** @description The name of a subject file: the subject, and `.json`. `GET /{exam}/{year}` lists the subjects of each shift. */
                file: components["parameters"]["file"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Scripts of this origin may ask. */
            204: {
                headers: {
                    "X-Content-Type-Options": components["headers"]["ContentTypeOptions"];
                    Vary: components["headers"]["VaryPreflight"];
                    "Access-Control-Allow-Origin": components["headers"]["AskingOrigin"];
                    "Access-Control-Allow-Methods": components["headers"]["AllowedMethods"];
                    "Access-Control-Allow-Headers": components["headers"]["AllowedFields"];
                    "Access-Control-Max-Age": components["headers"]["PreflightAge"];
                    "Access-Control-Expose-Headers": components["headers"]["ExposedFields"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The path does not decode, holds an empty or dot segment, or has the shape of no endpoint. The request is not valid HTTP. */
            400: {
                headers: {
                    "X-Content-Type-Options": components["headers"]["ContentTypeOptions"];
                    "Cache-Control": components["headers"]["CacheError"];
                    "Access-Control-Allow-Origin": components["headers"]["ListedOrigin"];
                    "Access-Control-Expose-Headers": components["headers"]["ExposedFields"];
                    Vary: components["headers"]["VaryOrigin"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The method is not GET. */
            405: {
                headers: {
                    "X-Content-Type-Options": components["headers"]["ContentTypeOptions"];
                    Allow: components["headers"]["Allow"];
                    "Cache-Control": components["headers"]["CacheError"];
                    "Access-Control-Allow-Origin": components["headers"]["ListedOrigin"];
                    "Access-Control-Expose-Headers": components["headers"]["ExposedFields"];
                    Vary: components["headers"]["VaryOrigin"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The request did not arrive in time. */
            408: {
                headers: {
                    "X-Content-Type-Options": components["headers"]["ContentTypeOptions"];
                    "Cache-Control": components["headers"]["CacheError"];
                    "Access-Control-Allow-Origin": components["headers"]["ListedOrigin"];
                    "Access-Control-Expose-Headers": components["headers"]["ExposedFields"];
                    Vary: components["headers"]["VaryOrigin"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The service is at fault; trying again later may help. */
            500: {
                headers: {
                    "X-Content-Type-Options": components["headers"]["ContentTypeOptions"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    "Cache-Control": components["headers"]["CacheError"];
                    "Access-Control-Allow-Origin": components["headers"]["ListedOrigin"];
                    "Access-Control-Expose-Headers": components["headers"]["ExposedFields"];
                    Vary: components["headers"]["VaryFault"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicyFault"];
                    RateLimit: components["headers"]["RateLimitFault"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getDiagram: {
        parameters: {
            query?: never;
            header?: {
                /** @description The `ETag` of an answer that you have: if it is current still, the answer is a bare 304. */
                "If-None-Match"?: components["parameters"]["ifNoneMatch"];
            };
            path: {
                /** @description The exam code alone, not combined with a year. */
                exam: components["parameters"]["exam"];
                /** @description The year, four digits. */
                year: components["parameters"]["year"];
                /** @description The full name of the shift, or a short form of it: its number in the year, month and day, or any beginning of the name. See Naming a shift. */
                shift: components["parameters"]["shift"];
                /** @description The name of an image file, as `diagrams[].file` of a question has it. It contains the id of its question. */
                filename: components["parameters"]["filename"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The bytes of the image. */
            200: {
                headers: {
                    "X-Content-Type-Options": components["headers"]["ContentTypeOptions"];
                    ETag: components["headers"]["ETag"];
                    "Cache-Control": components["headers"]["CacheProtected"];
                    Vary: components["headers"]["VaryProtected"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "Access-Control-Allow-Origin": components["headers"]["ListedOrigin"];
                    "Access-Control-Expose-Headers": components["headers"]["ExposedFields"];
                    "Content-Encoding": components["headers"]["ContentEncoding"];
                    "Content-Security-Policy": components["headers"]["DrawingPolicy"];
                    [name: string]: unknown;
                };
                content: {
                    "image/png": unknown;
                    "image/jpeg": unknown;
                    "image/webp": unknown;
                    "image/gif": unknown;
                    "image/avif": unknown;
                    "image/svg+xml": unknown;
                };
            };
            /** @description What `If-None-Match` names is current still. */
            304: {
                headers: {
                    "X-Content-Type-Options": components["headers"]["ContentTypeOptions"];
                    ETag: components["headers"]["ETag"];
                    "Cache-Control": components["headers"]["CacheProtected"];
                    Vary: components["headers"]["VaryProtected"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "Access-Control-Allow-Origin": components["headers"]["ListedOrigin"];
                    "Access-Control-Expose-Headers": components["headers"]["ExposedFields"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The path does not decode, holds an empty or dot segment, or has the shape of no endpoint. The request is not valid HTTP. The year is not four digits. */
            400: {
                headers: {
                    "X-Content-Type-Options": components["headers"]["ContentTypeOptions"];
                    "Cache-Control": components["headers"]["CacheError"];
                    "Access-Control-Allow-Origin": components["headers"]["ListedOrigin"];
                    "Access-Control-Expose-Headers": components["headers"]["ExposedFields"];
                    Vary: components["headers"]["VaryOrigin"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description There is no Authorization header. The header is not of the form Bearer <API_KEY>. */
            401: {
                headers: {
                    "X-Content-Type-Options": components["headers"]["ContentTypeOptions"];
                    "WWW-Authenticate": components["headers"]["Authenticate"];
                    "Cache-Control": components["headers"]["CacheError"];
                    "Access-Control-Allow-Origin": components["headers"]["ListedOrigin"];
                    "Access-Control-Expose-Headers": components["headers"]["ExposedFields"];
                    Vary: components["headers"]["VaryOrigin"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The key is unknown, revoked or expired. */
            403: {
                headers: {
                    "X-Content-Type-Options": components["headers"]["ContentTypeOptions"];
                    "Cache-Control": components["headers"]["CacheError"];
                    "Access-Control-Allow-Origin": components["headers"]["ListedOrigin"];
                    "Access-Control-Expose-Headers": components["headers"]["ExposedFields"];
                    Vary: components["headers"]["VaryOrigin"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The bank has no such exam. The exam has no papers of that year. The shift identifier matches no shift. The file does not exist for the shift. */
            404: {
                headers: {
                    "X-Content-Type-Options": components["headers"]["ContentTypeOptions"];
                    "Cache-Control": components["headers"]["CacheError"];
                    "Access-Control-Allow-Origin": components["headers"]["ListedOrigin"];
                    "Access-Control-Expose-Headers": components["headers"]["ExposedFields"];
                    Vary: components["headers"]["VaryOrigin"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The method is not GET. */
            405: {
                headers: {
                    "X-Content-Type-Options": components["headers"]["ContentTypeOptions"];
                    Allow: components["headers"]["Allow"];
                    "Cache-Control": components["headers"]["CacheError"];
                    "Access-Control-Allow-Origin": components["headers"]["ListedOrigin"];
                    "Access-Control-Expose-Headers": components["headers"]["ExposedFields"];
                    Vary: components["headers"]["VaryOrigin"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The request did not arrive in time. */
            408: {
                headers: {
                    "X-Content-Type-Options": components["headers"]["ContentTypeOptions"];
                    "Cache-Control": components["headers"]["CacheError"];
                    "Access-Control-Allow-Origin": components["headers"]["ListedOrigin"];
                    "Access-Control-Expose-Headers": components["headers"]["ExposedFields"];
                    Vary: components["headers"]["VaryOrigin"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The rate or the monthly quota of the plan is spent, or too many requests with keys that are none came from one address. Retry-After says when to come again. */
            429: {
                headers: {
                    "X-Content-Type-Options": components["headers"]["ContentTypeOptions"];
                    "Cache-Control": components["headers"]["CacheError"];
                    "Access-Control-Allow-Origin": components["headers"]["ListedOrigin"];
                    "Access-Control-Expose-Headers": components["headers"]["ExposedFields"];
                    Vary: components["headers"]["VaryOrigin"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicyFault"];
                    RateLimit: components["headers"]["RateLimitFault"];
                    "Retry-After": components["headers"]["RetryAfter"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The service is at fault; trying again later may help. */
            500: {
                headers: {
                    "X-Content-Type-Options": components["headers"]["ContentTypeOptions"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    "Cache-Control": components["headers"]["CacheError"];
                    "Access-Control-Allow-Origin": components["headers"]["ListedOrigin"];
                    "Access-Control-Expose-Headers": components["headers"]["ExposedFields"];
                    Vary: components["headers"]["VaryFault"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicyFault"];
                    RateLimit: components["headers"]["RateLimitFault"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The key could not be checked; it may well be valid. Try again. */
            502: {
                headers: {
                    "X-Content-Type-Options": components["headers"]["ContentTypeOptions"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    "Cache-Control": components["headers"]["CacheError"];
                    "Access-Control-Allow-Origin": components["headers"]["ListedOrigin"];
                    "Access-Control-Expose-Headers": components["headers"]["ExposedFields"];
                    Vary: components["headers"]["VaryOrigin"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    askForDiagram: {
        parameters: {
            query?: never;
            header: {
                /** @description The origin of the page that the script runs in. */
                Origin: components["parameters"]["origin"];
                /** @description The method that the script wants to use. */
                "Access-Control-Request-Method": components["parameters"]["requestMethod"];
                /** @description The header fields that the script wants to send. */
                "Access-Control-Request-Headers"?: components["parameters"]["requestFields"];
            };
            path: {
                /** @description The exam code alone, not combined with a year. */
                exam: components["parameters"]["exam"];
                /** @description The year, four digits. */
                year: components["parameters"]["year"];
                /** @description The full name of the shift, or a short form of it: its number in the year, month and day, or any beginning of the name. See Naming a shift. */
                shift: components["parameters"]["shift"];
                /** @description The name of an image file, as `diagrams[].file` of a question has it. It contains the id of its question. */
                filename: components["parameters"]["filename"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Scripts of this origin may ask. */
            204: {
                headers: {
                    "X-Content-Type-Options": components["headers"]["ContentTypeOptions"];
                    Vary: components["headers"]["VaryPreflight"];
                    "Access-Control-Allow-Origin": components["headers"]["AskingOrigin"];
                    "Access-Control-Allow-Methods": components["headers"]["AllowedMethods"];
                    "Access-Control-Allow-Headers": components["headers"]["AllowedFields"];
                    "Access-Control-Max-Age": components["headers"]["PreflightAge"];
                    "Access-Control-Expose-Headers": components["headers"]["ExposedFields"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The path does not decode, holds an empty or dot segment, or has the shape of no endpoint. The request is not valid HTTP. */
            400: {
                headers: {
                    "X-Content-Type-Options": components["headers"]["ContentTypeOptions"];
                    "Cache-Control": components["headers"]["CacheError"];
                    "Access-Control-Allow-Origin": components["headers"]["ListedOrigin"];
                    "Access-Control-Expose-Headers": components["headers"]["ExposedFields"];
                    Vary: components["headers"]["VaryOrigin"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The method is not GET. */
            405: {
                headers: {
                    "X-Content-Type-Options": components["headers"]["ContentTypeOptions"];
                    Allow: components["headers"]["Allow"];
                    "Cache-Control": components["headers"]["CacheError"];
                    "Access-Control-Allow-Origin": components["headers"]["ListedOrigin"];
                    "Access-Control-Expose-Headers": components["headers"]["ExposedFields"];
                    Vary: components["headers"]["VaryOrigin"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The request did not arrive in time. */
            408: {
                headers: {
                    "X-Content-Type-Options": components["headers"]["ContentTypeOptions"];
                    "Cache-Control": components["headers"]["CacheError"];
                    "Access-Control-Allow-Origin": components["headers"]["ListedOrigin"];
                    "Access-Control-Expose-Headers": components["headers"]["ExposedFields"];
                    Vary: components["headers"]["VaryOrigin"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The service is at fault; trying again later may help. */
            500: {
                headers: {
                    "X-Content-Type-Options": components["headers"]["ContentTypeOptions"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    "Cache-Control": components["headers"]["CacheError"];
                    "Access-Control-Allow-Origin": components["headers"]["ListedOrigin"];
                    "Access-Control-Expose-Headers": components["headers"]["ExposedFields"];
                    Vary: components["headers"]["VaryFault"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicyFault"];
                    RateLimit: components["headers"]["RateLimitFault"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
}
